/** The billing periods of orders. */
import type { IsoDate } from './date.ts';

export const billingPeriods = [
  'Daily',
  'Weekly',
  'Monthly',
  'Quarterly',
  'SemiAnnual',
  'Yearly',
] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

export const billingAlignments = ['StartDate', 'DayOfMonth'] as const;
export type BillingAlignment = (typeof billingAlignments)[number];

/**
 * The schedule of an order's billing periods: period n starts n periods after the anchor. With
 * `alignmentDay` the anchor is the first alignment day at or after the order's start, and the stub
 * before it is (the end of) period -1.
 */
export interface Schedule {
  readonly billingPeriod: BillingPeriod;
  readonly anchor: IsoDate;
  readonly alignmentDay: number | null;
}
