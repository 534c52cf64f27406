/** Columns that many tables share. */
import { p } from '@mikro-orm/postgresql';

/**
 * The key of every tenanted table. Ids come from one sequence for all tables: an operation takes
 * them first (`takeIds`), so that entities may refer to each other before they are rows.
 */
export const tenanted = {
  tenantId: p.bigint('number').primary(),
  id: p.bigint('number').primary(),
};

/** Instants on the tenant's clock, which may be a test clock: always set by the operation. */
export const stamped = {
  createdAt: p.datetime(),
  updatedAt: p.datetime(),
};

/** Up to 6 decimals, as text. */
export const quantity = () => p.decimal().precision(20).scale(6);
