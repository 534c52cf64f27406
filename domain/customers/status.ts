/** The effect of a customer's status on its orders. */

export const customerStatuses = [
  'Active',
  'Overdue1',
  'Overdue2',
  'Overdue3',
  'Suspended1',
  'Suspended2',
  'Suspended3',
  'InActive1',
  'InActive2',
] as const;
export type CustomerStatus = (typeof customerStatuses)[number];

/**
 * Whether this status of a customer pauses the billing of its orders.
 *
 * @example isSuspending('Suspended1') // true
 */
export function isSuspending(status: CustomerStatus): boolean {
  return status.startsWith('Suspended') || isInactive(status);
}

/**
 * Whether a customer of this status takes no new order.
 *
 * @example isInactive('InActive1') // true
 */
export function isInactive(status: CustomerStatus): boolean {
  return status.startsWith('InActive');
}
