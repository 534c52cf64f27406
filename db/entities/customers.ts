/** A customer with its contacts, the changes of its status and the pauses of its service. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { TermUnit } from '../../domain/calendar/terms.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import { stamped, tenanted } from './columns.ts';

const CustomerSchema = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  uniques: [{ properties: ['tenantId', 'extCustomerRef'] }],
  properties: {
    ...tenanted,
    name: p.text(),
    status: p.text().$type<CustomerStatus>(),
    statusByHand: p.boolean().default(false),
    extCustomerRef: p.text().nullable(),
    locale: p.text().nullable(),
    isBusinessAccount: p.boolean().default(false),
    paymentTermsValue: p.integer().nullable(),
    paymentTermsUnits: p.text().$type<TermUnit>().nullable(),
    currency: p.text(),
    taxId: p.text().nullable(),
    /** The batch that moved it in. */
    importedBy: p.bigint('number').nullable(),
    billingHeldAt: p.datetime().nullable(),
    billingHeldCode: p.text().nullable(),
    billingHeldText: p.text().nullable(),
    /** The text that the search matches; see operations/customers/search.ts. */
    searchText: p.text().default(''),
    version: p.integer().default(1),
    ...stamped,
    contacts: () => p.oneToMany(Contact).mappedBy('customer').orphanRemoval(),
  },
});
export class Customer extends CustomerSchema.class {}
CustomerSchema.setClass(Customer);

const ofCustomer = () =>
  p.manyToOne(Customer).joinColumns('tenant_id', 'customer_id').deleteRule('cascade');

const ContactSchema = defineEntity({
  name: 'Contact',
  tableName: 'contact',
  uniques: [{ properties: ['tenantId', 'customer', 'kind'] }],
  properties: {
    ...tenanted,
    customer: ofCustomer,
    kind: p.text().$type<'billing' | 'sales'>(),
    username: p.text().nullable(),
    /** The username, if it is the only one in the tenant, as all newer ones are. */
    login: p.text().nullable(),
    passwordHash: p.text().nullable(),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    companyName: p.text().nullable(),
    emailPrimary: p.text().nullable(),
    /** Where resets go instead, after it was changed on a page without a password; '': nowhere. */
    resetAddress: p.text().nullable(),
    workPhone: p.text().nullable(),
    street1: p.text().nullable(),
    street2: p.text().nullable(),
    city: p.text().nullable(),
    state: p.text().nullable(),
    zip: p.text().nullable(),
    country: p.text().nullable(),
    countryCode: p.text().nullable(),
    /** Of a billing contact: the e-mail address in lower case, and the phone's digits, 7 or more. */
    emailKey: p.text().nullable().generated('stored'),
    phoneKey: p.text().nullable().generated('stored'),
  },
});
export class Contact extends ContactSchema.class {}
ContactSchema.setClass(Contact);

const CustomerTransitionSchema = defineEntity({
  name: 'CustomerTransition',
  tableName: 'customer_transition',
  properties: {
    ...tenanted,
    customer: ofCustomer,
    previousStatus: p.text().$type<CustomerStatus>(),
    newStatus: p.text().$type<CustomerStatus>(),
    transitionedOn: p.date(),
    transitionedAt: p.datetime(),
    /** By a caller, or by the age of the customer's invoices. */
    cause: p.text().$type<'hand' | 'ageing'>().default('hand'),
  },
});
export class CustomerTransition extends CustomerTransitionSchema.class {}
CustomerTransitionSchema.setClass(CustomerTransition);

const ServicePauseSchema = defineEntity({
  name: 'ServicePause',
  tableName: 'service_pause',
  properties: {
    ...tenanted,
    customer: ofCustomer,
    /**
     * Null: all orders of the customer pause. No relation: the ORM looks for a null in each column
     * of its key, and the tenant is none.
     */
    orderId: p.bigint('number').nullable(),
    suspendedOn: p.date(),
    resumedOn: p.date().nullable(),
  },
});
export class ServicePause extends ServicePauseSchema.class {}
ServicePauseSchema.setClass(ServicePause);
