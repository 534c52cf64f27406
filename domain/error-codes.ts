/** The catalogue of the errors that a caller can cause: a closed list of codes, and their meanings. */
import { importErrors } from './imports/error-codes.ts';
import { usageErrors } from './usage/error-codes.ts';

/** The errors of payments and of their methods. */
const paymentErrors = {
  'payment.unknown': { kind: 'notFound', meaning: 'There is no such payment, credit or refund.' },
  'payment.notCancellable': {
    kind: 'invalid',
    meaning:
      'A Pending, Declined, Refunded, Voided or Canceled payment cannot be cancelled, nor one that its payer has just confirmed.',
  },
  'payment.noAction': {
    kind: 'invalid',
    meaning: 'The payment does not wait for its payer.',
  },
  'payment.processing': {
    kind: 'conflict',
    meaning: 'The gateway has accepted the payment, and will report its result.',
  },
  'payment.amount': {
    kind: 'invalid',
    meaning: 'The amount is zero, negative, or has more decimals than its currency.',
  },
  'payment.currency': {
    kind: 'invalid',
    meaning: 'The currency is not in ISO 4217, or differs from that of a named invoice.',
  },
  'payment.date': {
    kind: 'invalid',
    meaning:
      'The effectiveDate is in the future, or is in the past for a payment through a gateway.',
  },
  'payment.method': {
    kind: 'invalid',
    meaning: 'The request has no payment method, several, or one that does not match its type.',
  },
  'payment.rawCard': {
    kind: 'invalid',
    meaning:
      'The gateway takes no card numbers from this tenant: send a tokenPaymentMethod with a token of the gateway.',
  },
  'payment.invoice': {
    kind: 'invalid',
    meaning:
      'A named invoice is unknown, of another customer, or not Outstanding; one that a refund names may be Paid.',
  },
  'payment.refundTooHigh': {
    kind: 'invalid',
    meaning:
      'The refund exceeds the unrefunded amount paid by this method, or on the invoices that it names.',
  },
  'paymentMethod.unknown': {
    kind: 'invalid',
    meaning: 'The customer has no such payment method on file.',
  },
  'paymentMethod.declined': {
    kind: 'invalid',
    meaning: 'The gateway declined this payment method.',
  },
  'paymentMethod.actionRequired': {
    kind: 'invalid',
    meaning: 'The gateway asks the payer to authenticate the payment method, who is not there.',
  },
  'card.tooManyDeclines': {
    kind: 'tooMany',
    meaning: 'Too many cards were declined from this network, of this customer or in this session.',
  },
} as const;

/** The errors that only calls about sales agents and their commissions have. */
const commissionErrors = {
  'commissionPlan.unknown': { kind: 'notFound', meaning: 'There is no such commission plan.' },
  'user.unknown': { kind: 'notFound', meaning: 'There is no such user.' },
  'user.self': { kind: 'invalid', meaning: 'A user cannot suspend or enable itself.' },
  'salesAgent.unknown': { kind: 'notFound', meaning: 'There is no such sales agent.' },
  'orderAgent.reference': {
    kind: 'invalid',
    meaning:
      "A sales agent or commission plan is unknown, or the agent is gone from the tenant's file.",
  },
  'orderAgent.exists': {
    kind: 'invalid',
    meaning: 'The sales agent is linked to the order already, or named twice.',
  },
  'orderAgent.plan': {
    kind: 'invalid',
    meaning:
      "The commission plan is inactive, gone from the tenant's file, or not for the order's plan.",
  },
} as const;

/** The errors of coupons. */
const couponErrors = {
  'coupon.unknown': { kind: 'invalid', meaning: 'There is no such coupon.' },
  'coupon.notValid': { kind: 'invalid', meaning: 'The coupon is not valid on this day.' },
  'coupon.plan': { kind: 'invalid', meaning: 'The coupon is for other plans.' },
  'coupon.usedUp': { kind: 'invalid', meaning: 'The coupon has all its redemptions.' },
  'coupon.usedByCustomer': {
    kind: 'invalid',
    meaning: 'The coupon is for one order of a customer, which has used it.',
  },
  'coupon.currency': { kind: 'invalid', meaning: 'The amount is in another currency.' },
} as const;

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
  'metadata.tooMany': { kind: 'invalid', meaning: 'Metadata has at most 20 entries.' },
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
    meaning:
      'The order is part of a change whose effectiveDate is in the future, or before its requested end.',
  },
  'order.notEnding': {
    kind: 'invalid',
    meaning: 'No end of the order is requested, or it was taken back, or the order has ended.',
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
    meaning: 'The lines of the order cost more for one billing period than the largest amount.',
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
  'customer.erased': {
    kind: 'invalid',
    meaning: 'The customer is erased, so nothing is written that names it.',
  },
  'customer.notErasable': {
    kind: 'invalid',
    meaning:
      'The customer cannot be erased yet: an order has not ended, an invoice is open, its balance is not ' +
      'zero, a payment is not final, a payment plan is enabled or a sign-up is under way; an error for each.',
  },
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
    meaning: 'The Update of a workflow is not possible now; its text says why.',
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
      'The tax provider does not answer, and Sundial bills nobody untaxed. Nothing is stored; try again ' +
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
  'invoice.ubl': {
    kind: 'invalid',
    meaning: 'An electronic invoice needs what the error names, or cannot say it.',
  },
  'invoice.notCancellable': {
    kind: 'invalid',
    meaning: 'Only an Outstanding invoice can be cancelled.',
  },
  'invoice.notPayable': {
    kind: 'invalid',
    meaning: 'Nobody pays a Cancelled or CarriedOver invoice, so it has no pay link.',
  },
  'invoice.credited': {
    kind: 'invalid',
    meaning:
      'Part of the invoice was credited for unused days or by a credit note, or will be by that of a refund under way, or corrections of its usage give back part of it, so it cannot be cancelled.',
  },
  'invoice.notCreditable': {
    kind: 'invalid',
    meaning:
      'A Cancelled, CarriedOver or imported invoice, one of a sign-up that is not PROCESSED yet, or one with a total of zero or less has no credit note.',
  },
  'creditNote.tooHigh': {
    kind: 'invalid',
    meaning: 'More is to go back than stands of the charge or of the invoice.',
  },
  'creditNote.nothingLeft': {
    kind: 'invalid',
    meaning: 'Nothing stands of what is to be credited, or it comes to 0.00.',
  },
  'notification.otherCustomer': {
    kind: 'invalid',
    meaning: 'The object of the mail does not belong to the customer.',
  },
  ...paymentErrors,
  ...couponErrors,
  ...importErrors,
  'signup.unknown': { kind: 'notFound', meaning: 'There is no such signup.' },
  ...usageErrors,
  'report.unknown': { kind: 'notFound', meaning: 'There is no report of that name.' },
  'report.tooLarge': {
    kind: 'invalid',
    meaning: 'The report takes longer than 10 seconds; POST /report/NAME writes it to a file.',
  },
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
  'testClock.unknown': {
    kind: 'notFound',
    meaning: 'The tenant has no test clock; it runs in real time.',
  },
  'testClock.backwards': { kind: 'invalid', meaning: 'A test clock moves forwards only.' },
  'testClock.tooFar': { kind: 'invalid', meaning: 'A test clock advances by 5 years at most.' },
  'testClock.advancing': {
    kind: 'conflict',
    meaning: 'The test clock is still advancing to its last target.',
  },
} as const satisfies Record<string, ErrorEntry>;
