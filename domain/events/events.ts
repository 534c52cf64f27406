/** The types of events, and the kind of object that each refers to. */

/**
 * In the order of the documentation. The CHECK of `event.type` has the same list.
 *
 * @example eventTypes.includes('invoice.paid') // true
 */
export const eventTypes = [
  'customer.transition',
  'customer.created',
  'customer.updated',
  'customer.cardExpiring',
  'customer.erased',
  'order.created',
  'order.updated',
  'order.trialEnding',
  'order.renewalNotice',
  'order.priceChange',
  'invoice.created',
  'invoice.cancelled',
  'invoice.paid',
  'payment.success',
  'payment.failed',
  'payment.actionRequired',
  'refund.success',
  'credit.created',
  'paymentPlan.installment',
  'usage.billed',
  'batch.finished',
  'signup.processed',
] as const;

export type EventType = (typeof eventTypes)[number];

/**
 * The kind of the object of each type.
 *
 * @example eventObjects['refund.success'] // 'payment'
 */
export const eventObjects = {
  'customer.transition': 'customerTransition',
  'customer.created': 'customer',
  'customer.updated': 'customer',
  'customer.cardExpiring': 'customer',
  'customer.erased': 'customer',
  'order.created': 'subscriptionOrder',
  'order.updated': 'subscriptionOrder',
  'order.trialEnding': 'subscriptionOrder',
  'order.renewalNotice': 'subscriptionOrder',
  'order.priceChange': 'subscriptionOrder',
  'invoice.created': 'invoice',
  'invoice.cancelled': 'invoice',
  'invoice.paid': 'invoice',
  'payment.success': 'payment',
  'payment.failed': 'payment',
  'payment.actionRequired': 'payment',
  'refund.success': 'payment',
  'credit.created': 'payment',
  'paymentPlan.installment': 'installment',
  'usage.billed': 'invoice',
  'batch.finished': 'batchProcess',
  'signup.processed': 'signup',
} as const satisfies Readonly<Record<EventType, string>>;

export type EventObject = (typeof eventObjects)[EventType];
