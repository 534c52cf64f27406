/** Columns that many tables share. */
import { p } from '@mikro-orm/postgresql';
import type { TermUnit } from '../../domain/calendar/terms.ts';
import type { Metadata } from '../../domain/text/metadata.ts';
import { closed, code, personal, text } from './personal.ts';

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

/** Null if there are no entries. A trigger of each table that has it keeps `metadata_entry`. */
export const metadata = () => personal('emptied', p.json().$type<Metadata>().nullable());

/** The transaction that wrote the row. */
export const transaction = () => p.text().columnType('xid8').defaultRaw('pg_current_xact_id()');

/** Codes and names out of lists. */
export const texts = () => closed(p.array().$type<readonly string[]>().columnType('text[]'));
export const integers = () => p.array().$type<readonly number[]>().columnType('integer[]');
/** Of objects whose kind the column says. */
export const ids = () => p.array().$type<readonly number[]>().columnType('bigint[]');

/* What people give of customers and of their contacts, and read back: columns of their entities. */

export const customerFields = {
  name: text('renamed'),
  extCustomerRef: text('renamed').nullable(),
  locale: code().nullable(),
  isBusinessAccount: p.boolean().default(false),
  paymentTermsValue: p.integer().nullable(),
  paymentTermsUnits: code<TermUnit>().nullable(),
  currency: code(),
  taxId: text('emptied').nullable(),
  purchaseOrder: text('emptied').nullable(),
  electronicAddress: text('emptied').nullable(),
  buyerReference: text('emptied').nullable(),
  metadata: metadata(),
};
export type CustomerField = keyof typeof customerFields;
export const customerFieldNames = keysOf(customerFields);

/** An address as people give it. */
export const addressFields = {
  street1: text('emptied').nullable(),
  street2: text('emptied').nullable(),
  city: text('emptied').nullable(),
  state: text('emptied').nullable(),
  zip: text('emptied').nullable(),
  country: text('emptied').nullable(),
  countryCode: text('emptied').nullable(),
};
export type AddressField = keyof typeof addressFields;
export const addressFieldNames = keysOf(addressFields);

/** What else people give of a contact, its password apart. */
export const personFields = {
  username: text('emptied').nullable(),
  firstName: text('emptied').nullable(),
  lastName: text('emptied').nullable(),
  companyName: text('emptied').nullable(),
  emailPrimary: text('emptied').nullable(),
  /** Of a billing contact: up to five addresses with `, ` between them. */
  emailCc: text('emptied').nullable(),
  workPhone: text('emptied').nullable(),
};
export type PersonField = keyof typeof personFields;
export const personFieldNames = keysOf(personFields);

export type ContactField = PersonField | AddressField;
export const contactFieldNames = [...personFieldNames, ...addressFieldNames] as const;

function keysOf<Fields extends object>(fields: Fields): readonly (keyof Fields & string)[] {
  return Object.keys(fields) as (keyof Fields & string)[];
}
