/** A customer with its contacts, the changes of its status and the pauses of its service. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import { addressFields, customerFields, personFields, stamped, tenanted } from './columns.ts';
import { code, text } from './personal.ts';

const CustomerSchema = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  uniques: [{ properties: ['tenantId', 'extCustomerRef'] }],
  properties: {
    ...tenanted,
    ...customerFields,
    status: code<CustomerStatus>(),
    statusByHand: p.boolean().default(false),
    /** The batch that moved it in. */
    importedBy: p.bigint('number').nullable(),
    /** What documents say of it today; null while no document has needed it. */
    partyId: p.bigint('number').nullable(),
    billingHeldAt: p.datetime().nullable(),
    billingHeldCode: code().nullable(),
    billingHeldText: text('emptied').nullable(),
    /** The text that the search matches; see operations/customers/search.ts. */
    searchText: text('renamed').default(''),
    /** The locale as documents keep it; null without one, and of one of before. */
    documentLocale: code().nullable(),
    /** The tenant's day on which everything personal was emptied. */
    erasedOn: p.date().nullable(),
    version: p.integer().default(1),
    ...stamped,
  },
});
export class Customer extends CustomerSchema.class {}
CustomerSchema.setClass(Customer);

const ofCustomer = () =>
  p.manyToOne(Customer).joinColumns('tenant_id', 'customer_id').deleteRule('cascade');

export type ContactKind = 'billing' | 'sales';

export const Contact = defineEntity({
  name: 'Contact',
  tableName: 'contact',
  uniques: [{ properties: ['tenantId', 'customerId', 'kind'] }],
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    kind: code<ContactKind>(),
    ...personFields,
    ...addressFields,
    /** The username, if it is the only one in the tenant, as all newer ones are. */
    login: text('emptied').nullable(),
    passwordHash: text('emptied').nullable(),
    /** Where resets go instead, after it was changed on a page without a password; '': nowhere. */
    resetAddress: text('emptied').nullable(),
    /** Of a billing contact: the e-mail address in lower case, and the phone's digits, 7 or more. */
    emailKey: text('copied').nullable().generated('stored'),
    phoneKey: text('copied').nullable().generated('stored'),
  },
});

const CustomerTransitionSchema = defineEntity({
  name: 'CustomerTransition',
  tableName: 'customer_transition',
  properties: {
    ...tenanted,
    customer: ofCustomer,
    previousStatus: code<CustomerStatus>(),
    newStatus: code<CustomerStatus>(),
    transitionedOn: p.date(),
    transitionedAt: p.datetime(),
    /** By a caller, or by the age of the customer's invoices. */
    cause: code<'hand' | 'ageing'>().default('hand'),
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
    /** The day of resumption, while it is ahead: at its 00:00 the pause ends. */
    until: p.date().nullable(),
  },
});
export class ServicePause extends ServicePauseSchema.class {}
ServicePauseSchema.setClass(ServicePause);
