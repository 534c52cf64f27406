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

/** The key, or the first part of it, of every other table of a tenant. */
export const ofTenant = { tenantId: p.bigint('number').primary() };

/** Up to 6 decimals, as text. */
export const quantity = () => p.decimal().precision(20).scale(6);
/** An amount in a currency: up to 4 decimals, as text. */
export const money = () => p.decimal().precision(20).scale(4);
/** As many decimals as were given, as text. */
export const decimal = () => p.decimal().columnType('numeric');

export const texts = () => p.array().$type<readonly string[]>().columnType('text[]');
export const integers = () => p.array().$type<readonly number[]>().columnType('integer[]');
/** Of objects whose kind the column says. */
export const ids = () => p.array().$type<readonly number[]>().columnType('bigint[]');
