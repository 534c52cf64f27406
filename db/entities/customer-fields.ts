/** What people give of customers and of their contacts, and read back: columns of their entities. */
import { p } from '@mikro-orm/postgresql';
import type { TermUnit } from '../../domain/calendar/terms.ts';

export const customerFields = {
  name: p.text(),
  extCustomerRef: p.text().nullable(),
  locale: p.text().nullable(),
  isBusinessAccount: p.boolean().default(false),
  paymentTermsValue: p.integer().nullable(),
  paymentTermsUnits: p.text().$type<TermUnit>().nullable(),
  currency: p.text(),
  taxId: p.text().nullable(),
  purchaseOrder: p.text().nullable(),
};
export type CustomerField = keyof typeof customerFields;
export const customerFieldNames = keysOf(customerFields);

/** An address as people give it. */
export const addressFields = {
  street1: p.text().nullable(),
  street2: p.text().nullable(),
  city: p.text().nullable(),
  state: p.text().nullable(),
  zip: p.text().nullable(),
  country: p.text().nullable(),
  countryCode: p.text().nullable(),
};
export type AddressField = keyof typeof addressFields;
export const addressFieldNames = keysOf(addressFields);

/** What else people give of a contact, its password apart. */
export const personFields = {
  username: p.text().nullable(),
  firstName: p.text().nullable(),
  lastName: p.text().nullable(),
  companyName: p.text().nullable(),
  emailPrimary: p.text().nullable(),
  workPhone: p.text().nullable(),
};
export type PersonField = keyof typeof personFields;
export const personFieldNames = keysOf(personFields);

export type ContactField = PersonField | AddressField;
export const contactFieldNames = [...personFieldNames, ...addressFieldNames] as const;

function keysOf<Fields extends object>(fields: Fields): readonly (keyof Fields & string)[] {
  return Object.keys(fields) as (keyof Fields & string)[];
}
