/** The documents of customers: to read, create and change. */
import { z } from 'zod';
import { electronicAddressPattern } from '../../../domain/customers/electronic-address.ts';
import { customerStatuses } from '../../../domain/customers/status.ts';
import type { AddressInput, ContactInput } from '../../../operations/customers/contact-input.ts';
import type { CustomerInput } from '../../../operations/customers/save.ts';
import { compile } from '../../xml/codec.ts';
import {
  REFERENCE_LENGTH_MAX,
  accepting,
  boolean,
  currency,
  date,
  enumeration,
  formed,
  id,
  integer,
  listOf,
  optional,
  password,
  root,
  said,
  sum,
  taken,
  text,
  type Field,
} from '../../xml/types.ts';
import {
  metadata,
  purchaseOrder,
  unitsOfTerms,
  mailAddress,
  mailAddresses,
} from '../shared-schema.ts';

/* A customer's billing or sales contact, with its address. */

const address = {
  street1: text(),
  street2: text(),
  city: text(),
  state: text(),
  zip: text(),
  country: text(),
  countryCode: text(),
} satisfies Record<keyof AddressInput, z.ZodType>;

const person = {
  username: text(),
  passwd: password(),
  firstName: text(),
  lastName: text(),
  companyName: text(),
  emailPrimary: mailAddress(),
  emailCc: mailAddresses(),
  workPhone: text(),
} satisfies Record<Exclude<keyof ContactInput, 'address'>, z.ZodType>;

export const addressSchema = z.strictObject(optional(address));

const { emailCc: _ofBilling, ...anyPerson } = person;
const itsAddress = { address: addressSchema.nullish() };
const billingShape = { ...optional(person), ...itsAddress };
const salesShape = { ...optional(anyPerson), ...itsAddress };

/** The contacts as returned, without the password. */
const billingContact = z.strictObject({ id: id(), ...billingShape });
const salesContact = z.strictObject({ id: id(), ...salesShape });
const billingInput = accepting(billingContact, billingShape);
/** What every contact takes. */
export const contactInputSchema = accepting(salesContact, salesShape);
export type ContactDocument = z.output<typeof billingContact>;

export const contactCodecs = {
  billingContact: {
    request: compile(root('billingContact', billingInput)),
    response: compile(root('billingContact', billingContact)),
  },
  salesContact: {
    request: compile(root('salesContact', contactInputSchema)),
    response: compile(root('salesContact', salesContact)),
  },
} as const;

/** What the customer owes and has paid, in the customer's currency. */
const customerFinancials = z.strictObject({
  currentBalance: sum(),
  outstandingBalance: sum(),
  overdueBalance: sum(),
  unappliedBalance: sum(),
  lastPaymentAmount: sum().nullable(),
  lastPaymentDate: date().nullable(),
  lastInvoiceAmount: sum().nullable(),
  lastInvoicedDate: date().nullable(),
  lifetimePayments: sum(),
  lifetimeValue: sum(),
  nextBillDate: date().nullable(),
});

const PAYMENT_TERMS_MAX = 3650;

/** What requests give of each field, and what answers say of it. */
const fields = {
  name: { takes: text(), says: text() },
  extCustomerRef: { takes: text(REFERENCE_LENGTH_MAX), says: text().nullable() },
  locale: {
    takes: formed(/^[a-z]{2,3}_[A-Z]{2}$/, 'a language and a country, for example en_US'),
    says: text().nullable(),
  },
  isBusinessAccount: { takes: boolean(), says: boolean() },
  paymentTermsValue: { takes: integer(0, PAYMENT_TERMS_MAX), says: integer().nullable() },
  paymentTermsUnits: { takes: unitsOfTerms(), says: text().nullable() },
  currency: { takes: currency(), says: currency() },
  taxId: { takes: text(), says: text().nullable() },
  purchaseOrder: { takes: purchaseOrder(), says: text().nullable() },
  electronicAddress: {
    takes: formed(
      electronicAddressPattern,
      'a scheme of the list EAS and an identifier, for example 9930:DE123456789',
    ),
    says: text().nullable(),
  },
  buyerReference: { takes: text(), says: text().nullable() },
  metadata: { takes: metadata.takes(), says: metadata.says() },
} satisfies Record<keyof CustomerInput, Field>;

const given = optional(taken(fields));
const { name, metadata: noted, ...others } = said(fields);

export const customerSchema = z.strictObject({
  id: id(),
  name,
  status: enumeration(customerStatuses),
  suspendedUntil: date().nullable(),
  erasedDate: date().nullable(),
  ...others,
  billingContact: billingContact.nullable(),
  salesContact: salesContact.nullable(),
  customerFinancials: customerFinancials.optional(),
  metadata: noted,
});
export type CustomerDocument = z.output<typeof customerSchema>;

export const customerCreateSchema = accepting(customerSchema, {
  ...given,
  billingContact: billingInput,
  salesContact: contactInputSchema.nullish(),
});
export type CustomerCreateInput = z.output<typeof customerCreateSchema>;

const updateSchema = accepting(customerSchema, {
  ...given,
  billingContact: billingInput.optional(),
  salesContact: contactInputSchema.nullish(),
});
export type CustomerUpdateInput = z.output<typeof updateSchema>;

export const customerCodec = compile(root('customer', customerSchema));
export const customerCreate = compile(root('customer', customerCreateSchema));
export const customerUpdate = compile(root('customer', updateSchema));
export const customerList = compile(root('list', listOf('customer', customerSchema)));

/* The list of changes of customers' statuses. */

const customerTransitionSchema = z.strictObject({
  id: id(),
  dateTransitioned: date(),
  previousStatus: enumeration(customerStatuses),
  newStatus: enumeration(customerStatuses),
  customer: z.strictObject({
    id: id(),
    name: text(),
    status: enumeration(customerStatuses),
    extCustomerRef: text().nullable(),
  }),
});

export const transitionList = compile(
  root('list', listOf('customerTransition', customerTransitionSchema)),
);
