/** The catalogue of the errors that a caller can cause: a closed list of codes, and their meanings. */
import { commissionErrors } from './commissions/error-codes.ts';
import { couponErrors } from './discounts/error-codes.ts';
import { importErrors } from './imports/error-codes.ts';
import { paymentErrors } from './payments/error-codes.ts';
import { signupErrors } from './signups/error-codes.ts';
import { usageErrors } from './usage/error-codes.ts';

/** The kind of a refusal, one HTTP status each; `saved` is not thrown: a success lists its codes. */
export type ErrorKind =
  | 'invalid'
  | 'notFound'
  | 'unauthorized'
  | 'forbidden'
  | 'conflict'
  | 'changed'
  | 'unsupported'
  | 'tooLarge'
  | 'tooMany'
  | 'unavailable'
  | 'saved';

interface ErrorEntry {
  readonly kind: ErrorKind;
  /** One sentence for the documentation. */
  readonly meaning: string;
}

/** The catalogue of codes. A code once published keeps its meaning. */
export const domainErrors = {
  'field.required': { kind: 'invalid', meaning: 'A required element is missing or empty.' },
  'field.invalid': { kind: 'invalid', meaning: 'The value of an element is not allowed there.' },
  'field.tooLong': { kind: 'invalid', meaning: 'The text of an element is too long.' },
  'field.unknown': { kind: 'invalid', meaning: 'The resource does not know this element.' },
  'field.notEditable': {
    kind: 'invalid',
    meaning: 'The element can no longer change, and the value differs from the stored one.',
  },
  'plan.unknown': { kind: 'invalid', meaning: 'There is no such plan.' },
  'plan.retired': { kind: 'invalid', meaning: 'The plan takes no new order on this date.' },
  'priceCode.unknown': { kind: 'invalid', meaning: 'The plan has no charge of this price code.' },
  'quantity.outOfRange': {
    kind: 'invalid',
    meaning: 'The quantity is negative, below the minimum or above the priced maximum.',
  },
  'order.transition': {
    kind: 'invalid',
    meaning: 'The order cannot move from its present status to the requested one.',
  },
  'order.notEditable': {
    kind: 'invalid',
    meaning: 'A Complete, Superseded or Canceled order can no longer change.',
  },
  'order.notChangeable': {
    kind: 'invalid',
    meaning:
      'Only an Active order can change; deleteCurrentOrder also takes Draft and Provisioning ones.',
  },
  'order.changePending': {
    kind: 'invalid',
    meaning: 'The order is part of a change whose effectiveDate has not come yet.',
  },
  'order.billed': {
    kind: 'invalid',
    meaning: 'An order with billed periods, invoices or usage records cannot be deleted.',
  },
  'order.tooManyPeriods': {
    kind: 'invalid',
    meaning:
      'More than 1,000 elapsed periods of a line, or 5,000 charges, would be billed at once.',
  },
  'list.tooLarge': {
    kind: 'invalid',
    meaning: 'The objects of the list have more than 20,000 line items and charges in all.',
  },
  'order.priceMissing': {
    kind: 'invalid',
    meaning: 'A charge of the plan has no price in the currency of the order.',
  },
  'order.priceTooHigh': {
    kind: 'invalid',
    meaning: 'The lines of the order cost more for one billing period than the books can hold.',
  },
  'order.unitPriceMissing': {
    kind: 'invalid',
    meaning: 'The order lacks the unitPrice of a charge whose price is agreed per order.',
  },
  'quote.moved': { kind: 'conflict', meaning: 'The price is no longer that of the quote.' },
  'order.unknown': { kind: 'notFound', meaning: 'There is no such order.' },
  'order.notBillable': {
    kind: 'invalid',
    meaning: 'A Draft or Suspended order, or an order of a suspended customer, cannot be invoiced.',
  },
  'customer.inactive': {
    kind: 'invalid',
    meaning: 'A customer in an InActive status cannot order.',
  },
  'invoice.unknown': { kind: 'notFound', meaning: 'There is no such invoice.' },
  'customer.unknown': { kind: 'notFound', meaning: 'There is no such customer.' },
  'customer.billedApart': {
    kind: 'unavailable',
    meaning:
      'A process ended while it billed the customer, so the worker bills it in another process ' +
      'first. Until then generateInvoice is refused; an order without it is accepted.',
  },
  'customer.held': {
    kind: 'conflict',
    meaning:
      'The customer is held as its billing crashed a process: actionName=activate releases it.',
  },
  'billing.amountTooLarge': {
    kind: 'invalid',
    meaning:
      "An amount, or a customer's total debt, would have more than 16 digits before the point. " +
      'A call that would cause it gets field.invalid; a billing run holds the customer.',
  },
  'callbacks.unknown': {
    kind: 'notFound',
    meaning: 'There is no such callback endpoint, or it is off.',
  },
  'update.refused': {
    kind: 'conflict',
    meaning: 'What the Update of a workflow asks for is not possible now; its text says why.',
  },
  'contact.unknown': { kind: 'notFound', meaning: 'The customer has no such contact.' },
  'contact.usernameTaken': {
    kind: 'invalid',
    meaning: 'Another contact of the tenant has this username.',
  },
  'customer.refTaken': {
    kind: 'invalid',
    meaning: 'Another customer of the tenant has this extCustomerRef.',
  },
  'tax.refused': {
    kind: 'invalid',
    meaning:
      "The tax provider refuses the customer's data, such as its address or a tax code; the text is " +
      "the provider's. Nothing is stored.",
  },
  'tax.unavailable': {
    kind: 'unavailable',
    meaning:
      'The tax provider does not answer, and nobody is billed untaxed. Nothing is stored; try again ' +
      'after the seconds of Retry-After.',
  },
  'address.invalid': {
    kind: 'saved',
    meaning: 'The customer is saved, and an element of an address is missing or invalid.',
  },
  'address.notValidated': {
    kind: 'saved',
    meaning: 'The customer is saved, and the tax provider did not answer about an address.',
  },
  'contact.exists': {
    kind: 'invalid',
    meaning: 'The customer already has such a contact; PUT changes it.',
  },
  'customer.inUse': {
    kind: 'invalid',
    meaning: 'A customer with orders, invoices, payments or a payment plan cannot be deleted.',
  },
  'object.changed': {
    kind: 'changed',
    meaning: "The object's ETag is not among those in If-Match.",
  },
  'idempotency.inUse': {
    kind: 'conflict',
    meaning: 'The first request under this Idempotency-Key is still running.',
  },
  'idempotency.otherRequest': {
    kind: 'conflict',
    meaning: 'This Idempotency-Key was used with another request within 24 hours.',
  },
  'invoice.notCancellable': {
    kind: 'invalid',
    meaning: 'Only an Outstanding invoice can be cancelled.',
  },
  'invoice.credited': {
    kind: 'invalid',
    meaning:
      'Part of the invoice was credited for unused days, or corrections of its usage give back part of it, so it cannot be cancelled.',
  },
  'notification.otherCustomer': {
    kind: 'invalid',
    meaning: 'The object of the mail does not belong to the customer.',
  },
  ...paymentErrors,
  ...couponErrors,
  ...importErrors,
  ...signupErrors,
  ...usageErrors,
  'event.unknown': { kind: 'notFound', meaning: 'There is no such event.' },
  'paymentPlan.unknown': { kind: 'notFound', meaning: 'The customer has no payment plan.' },
  'paymentPlan.exists': {
    kind: 'invalid',
    meaning: 'The customer has an enabled payment plan; PUT changes it, DELETE disables it.',
  },
  'paymentPlan.ended': {
    kind: 'invalid',
    meaning: 'The payment plan is no longer enabled, so it cannot change; POST makes a new one.',
  },
  ...commissionErrors,
  'testClock.unknown': { kind: 'notFound', meaning: 'The tenant lives in real time.' },
  'testClock.backwards': { kind: 'invalid', meaning: 'A test clock moves forwards only.' },
  'testClock.tooFar': { kind: 'invalid', meaning: 'A test clock advances by 5 years at most.' },
  'testClock.advancing': {
    kind: 'conflict',
    meaning: 'The test clock is still advancing to its last target.',
  },
} as const satisfies Record<string, ErrorEntry>;
