/** What a caller can do wrong: one error class, a closed list of codes, and what each means. */

/** What sort of refusal it is; the interface maps each sort to one HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'notFound'
  | 'unauthorized'
  | 'forbidden'
  | 'conflict'
  | 'changed'
  | 'unsupported'
  | 'tooLarge'
  | 'unavailable';

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
    meaning: 'The element may not be changed any more, and the value differs from the stored one.',
  },
  'plan.unknown': { kind: 'invalid', meaning: 'There is no such plan.' },
  'plan.retired': { kind: 'invalid', meaning: 'The plan takes no new order on this date.' },
  'priceCode.unknown': { kind: 'invalid', meaning: 'The plan has no charge of this price code.' },
  'quantity.outOfRange': {
    kind: 'invalid',
    meaning: 'The quantity is negative, below the minimum or above the maximum that is priced.',
  },
  'order.transition': {
    kind: 'invalid',
    meaning: 'The order may not move from its present status to the one asked for.',
  },
  'order.notEditable': {
    kind: 'invalid',
    meaning: 'A Complete, Superseded or Canceled order does not change any more.',
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
    meaning: 'A charge whose price is agreed per order was ordered without a unitPrice.',
  },
  'order.unknown': { kind: 'notFound', meaning: 'There is no such order.' },
  'order.notBillable': {
    kind: 'invalid',
    meaning: 'A Draft or Suspended order, or an order of a suspended customer, makes no invoice.',
  },
  'customer.inactive': {
    kind: 'invalid',
    meaning: 'A customer in an InActive status takes no new order.',
  },
  'invoice.unknown': { kind: 'notFound', meaning: 'There is no such invoice.' },
  'customer.unknown': { kind: 'notFound', meaning: 'There is no such customer.' },
  'customer.billedApart': {
    kind: 'unavailable',
    meaning:
      'Billing of the customer was broken off by the end of a process: the worker bills it apart ' +
      'from others first. Until then nothing bills it at once; an order without generateInvoice is taken.',
  },
  'customer.held': {
    kind: 'conflict',
    meaning:
      'The customer is held from billing, as a process died of it: actionName=activate releases it.',
  },
  'billing.amountTooLarge': {
    kind: 'invalid',
    meaning:
      'An amount, or what a customer owes in all, would have more than 16 digits before the point. ' +
      'A call that would make it is field.invalid; a billing run holds the customer.',
  },
  'contact.unknown': { kind: 'notFound', meaning: 'The customer has no such contact.' },
  'customer.refTaken': {
    kind: 'invalid',
    meaning: 'Another customer of the tenant has this extCustomerRef.',
  },
  'contact.exists': {
    kind: 'invalid',
    meaning: 'The customer has such a contact already; PUT changes it.',
  },
  'customer.inUse': {
    kind: 'invalid',
    meaning: 'A customer that has orders, invoices or payments is not deleted.',
  },
  'object.changed': {
    kind: 'changed',
    meaning: 'The object has another ETag than those that If-Match names.',
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
    meaning: 'A part of the invoice was credited, as its order was canceled; it stays as it is.',
  },
  'payment.unknown': { kind: 'notFound', meaning: 'There is no such payment, credit or refund.' },
  'payment.notCancellable': {
    kind: 'invalid',
    meaning: 'A Pending, Declined, Refunded, Voided or Canceled payment cannot be cancelled.',
  },
  'payment.amount': {
    kind: 'invalid',
    meaning: 'The amount is zero, negative, or has more decimals than its currency.',
  },
  'payment.currency': {
    kind: 'invalid',
    meaning: 'The currency is none of ISO 4217, or not that of an invoice to be paid.',
  },
  'payment.date': {
    kind: 'invalid',
    meaning: 'The effectiveDate lies ahead, or back where a gateway is to be asked today.',
  },
  'payment.method': {
    kind: 'invalid',
    meaning: 'There is no payment method, more than one, or one that does not fit its type.',
  },
  'payment.invoice': {
    kind: 'invalid',
    meaning: 'An invoice to be paid is unknown, of another customer, or not Outstanding.',
  },
  'payment.refundTooHigh': {
    kind: 'invalid',
    meaning: 'More is to go back than was paid, by this method, and has not gone back yet.',
  },
  'paymentMethod.unknown': {
    kind: 'invalid',
    meaning: 'The customer has no such payment method on file.',
  },
  'paymentMethod.declined': {
    kind: 'invalid',
    meaning: 'The gateway would not take this payment method.',
  },
  'testClock.unknown': { kind: 'notFound', meaning: 'The tenant lives in real time.' },
  'testClock.backwards': { kind: 'invalid', meaning: 'A test clock moves forwards only.' },
  'testClock.tooFar': { kind: 'invalid', meaning: 'A test clock advances by 5 years at most.' },
  'testClock.advancing': {
    kind: 'conflict',
    meaning: 'The test clock is still on its way to its last target.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** Further codes with which customers are held from billing; no call is answered with them. */
export const holdReasons = {
  'billing.crashed':
    'The process in which the customer was billed alone ran out of memory, broke or stood still.',
  'billing.timedOut': 'The customer, billed alone, takes longer than a statement may.',
  'database.…': 'The database refuses the rows of the customer, with this SQLSTATE.',
} as const;

export type DomainErrorCode = keyof typeof domainErrors;

export interface DomainErrorOptions {
  /** Where in the request: `subscriptionOrder/orderLineItems/orderLineItem[2]/quantity`. */
  readonly path?: string | null;
  /** The offending value as it was sent; never a secret. */
  readonly value?: string | null;
  /** The internal id that names nothing, where one was given: it might be another tenant's. */
  readonly id?: number | null;
}

/**
 * A refusal that the caller caused. Faults of the program are assertions instead.
 *
 * @example throw new DomainError('field.invalid', 'ends before it starts', { path: 'endDate' })
 */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly path: string | null;
  readonly value: string | null;
  readonly id: number | null;

  constructor(code: DomainErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
    this.path = options.path ?? null;
    this.value = options.value ?? null;
    this.id = options.id ?? null;
  }

  get kind(): ErrorKind {
    return domainErrors[this.code].kind;
  }
}
