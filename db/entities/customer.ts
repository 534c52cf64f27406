/** Customers and their contacts. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { CustomerStatus, TermUnit } from '../../domain/model.ts';
import { stamped, tenanted } from './columns.ts';

const CustomerSchema = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  properties: {
    ...tenanted,
    name: p.text(),
    status: p.text().$type<CustomerStatus>(),
    statusByHand: p.boolean(),
    extCustomerRef: p.text().nullable(),
    locale: p.text().nullable(),
    isBusinessAccount: p.boolean(),
    paymentTermsValue: p.integer().nullable(),
    paymentTermsUnits: p.text().$type<TermUnit>().nullable(),
    currency: p.text(),
    billingHeldAt: p.datetime().nullable(),
    billingHeldCode: p.text().nullable(),
    /** What the customer is found by; see operations/customers/search.ts. */
    searchText: p.text(),
    version: p.integer().version(),
    ...stamped,
  },
});
export class Customer extends CustomerSchema.class {}
CustomerSchema.setClass(Customer);

const ContactSchema = defineEntity({
  name: 'Contact',
  tableName: 'contact',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    kind: p.text().$type<'billing' | 'sales'>(),
    username: p.text().nullable(),
    passwordHash: p.text().nullable(),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    companyName: p.text().nullable(),
    emailPrimary: p.text().nullable(),
    workPhone: p.text().nullable(),
    street1: p.text().nullable(),
    street2: p.text().nullable(),
    city: p.text().nullable(),
    state: p.text().nullable(),
    zip: p.text().nullable(),
    country: p.text().nullable(),
    countryCode: p.text().nullable(),
  },
});
export class Contact extends ContactSchema.class {}
ContactSchema.setClass(Contact);
