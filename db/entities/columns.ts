/** Columns that many tables share. */
import { p } from '@mikro-orm/postgresql';

/** Ids come from one sequence for all tables; row-level security adds the tenant to every lookup. */
export const tenanted = {
  id: p.bigint('number').primary().autoincrement(),
  tenantId: p.bigint('number'),
};

/** Instants on the tenant's clock, which may be a test clock: always set by the operation. */
export const stamped = {
  createdAt: p.datetime(),
  updatedAt: p.datetime(),
};

/** Up to 6 decimals, as text. */
export const quantity = () => p.decimal().precision(20).scale(6);
