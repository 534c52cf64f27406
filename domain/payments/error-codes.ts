/** The errors of payments and of their methods. */

/**
 * A part of the catalogue in `domain/error-codes.ts`.
 *
 * @example paymentErrors['payment.unknown'].kind // 'notFound'
 */
export const paymentErrors = {
  'payment.unknown': { kind: 'notFound', meaning: 'There is no such payment, credit or refund.' },
  'payment.notCancellable': {
    kind: 'invalid',
    meaning: 'A Pending, Declined, Refunded, Voided or Canceled payment cannot be cancelled.',
  },
  'payment.processing': {
    kind: 'conflict',
    meaning: 'The gateway has accepted the payment, and will say itself how it ended.',
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
  'payment.invoice': {
    kind: 'invalid',
    meaning: 'A named invoice is unknown, of another customer, or not Outstanding.',
  },
  'payment.refundTooHigh': {
    kind: 'invalid',
    meaning: 'The refund exceeds what was paid by this method and not refunded yet.',
  },
  'paymentMethod.unknown': {
    kind: 'invalid',
    meaning: 'The customer has no such payment method on file.',
  },
  'paymentMethod.declined': {
    kind: 'invalid',
    meaning: 'The gateway declined this payment method.',
  },
  'card.tooManyDeclines': {
    kind: 'tooMany',
    meaning: 'Too many cards were declined from this network, of this customer or in this session.',
  },
} as const;
