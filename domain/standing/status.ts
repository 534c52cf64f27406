/** The statuses of orders. */

export const orderStatuses = [
  'Draft',
  'Provisioning',
  'Active',
  'Suspended',
  'Complete',
  'Superseded',
  'Canceled',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];
