/** The documents of customers: to read, create and change. */
import { z } from 'zod';
import { customerStatuses } from '../../../domain/customers/status.ts';
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
  root,
  sum,
  text,
  password,
} from '../../xml/types.ts';
import { unitsOfTerms, mailAddress } from '../shared-schema.ts';

/* A customer's billing or sales contact, with its address. */

const addressShape = {
  street1: text().nullish(),
  street2: text().nullish(),
  city: text().nullish(),
  state: text().nullish(),
  zip: text().nullish(),
  country: text().nullish(),
  countryCode: text().nullish(),
};

const contactShape = {
  username: text().nullish(),
  passwd: password().nullish(),
  firstName: text().nullish(),
  lastName: text().nullish(),
  companyName: text().nullish(),
  emailPrimary: mailAddress().nullish(),
  workPhone: text().nullish(),
  address: z.strictObject(addressShape).nullish(),
};

/** The contact as returned, without the password. */
const contactSchema = z.strictObject({ id: id(), ...contactShape });
export const contactInputSchema = accepting(contactSchema, contactShape);
export type ContactDocument = z.output<typeof contactSchema>;

export const contactCodecs = {
  billingContact: {
    request: compile(root('billingContact', contactInputSchema)),
    response: compile(root('billingContact', contactSchema)),
  },
  salesContact: {
    request: compile(root('salesContact', contactInputSchema)),
    response: compile(root('salesContact', contactSchema)),
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

const customerShape = {
  name: text().nullish(),
  extCustomerRef: text(REFERENCE_LENGTH_MAX).nullish(),
  locale: formed(/^[a-z]{2,3}_[A-Z]{2}$/, 'a language and a country, for example en_US').nullish(),
  isBusinessAccount: boolean().nullish(),
  paymentTermsValue: integer(0, PAYMENT_TERMS_MAX).nullish(),
  paymentTermsUnits: unitsOfTerms().nullish(),
  currency: currency().nullish(),
  taxId: text().nullish(),
};

export const customerSchema = z.strictObject({
  id: id(),
  name: text(),
  status: enumeration(customerStatuses),
  extCustomerRef: text().nullable(),
  locale: text().nullable(),
  isBusinessAccount: boolean(),
  paymentTermsValue: integer().nullable(),
  paymentTermsUnits: text().nullable(),
  currency: currency(),
  taxId: text().nullable(),
  billingContact: contactSchema.nullable(),
  salesContact: contactSchema.nullable(),
  customerFinancials: customerFinancials.optional(),
});
export type CustomerDocument = z.output<typeof customerSchema>;

export const customerCreateSchema = accepting(customerSchema, {
  ...customerShape,
  billingContact: contactInputSchema,
  salesContact: contactInputSchema.nullish(),
});
export type CustomerCreateInput = z.output<typeof customerCreateSchema>;

const updateSchema = accepting(customerSchema, {
  ...customerShape,
  billingContact: contactInputSchema.optional(),
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
