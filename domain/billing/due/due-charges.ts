/** What is due of an order: charges of periods, and usage windows, before they are priced. */
import type { IsoDate } from '../../calendar/calendar.ts';
import type { BillableLine, BilledDays, UsageSums } from '../../standing/line.ts';
import type { WindowDays } from '../../usage/windows.ts';

/** The billed share of a period, in days. */
export interface PeriodShare {
  readonly numerator: number;
  readonly denominator: number;
}

/** What was billed of a period before some further days of it. */
export interface PartsBefore {
  /** On earlier invoices, wherever these days lie in the period. */
  readonly billed: readonly BilledDays[];
  /** How many earlier days of it are due together with these. */
  readonly dueDays: number;
}

/** The due charge of one order line for (days of) one period, before it is priced. */
export interface DueCharge {
  readonly line: BillableLine;
  readonly periodIndex: number;
  /** First and last day billed, inclusive; for a one-time charge both are its first day. */
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly dueOn: IsoDate;
  /** The whole period if the charge is not prorated. */
  readonly share: PeriodShare;
  /** Of a further part of a period; absent if all of it is billed at once. */
  readonly before?: PartsBefore;
}

/** The days of one billing period in which a line's activity counts together. */
export interface UsageWindow extends WindowDays {
  readonly line: BillableLine;
}

/** A due usage window of one order line, before it is priced. */
export interface DueWindow {
  readonly window: UsageWindow;
  /** Null if it has no records: it costs nothing, and is closed. */
  readonly sums: UsageSums | null;
}

/** What one walk takes at a time. */
export type DueUnit = DueCharge | DueWindow;

/** @example isWindow(fee) // false */
export function isWindow(unit: DueUnit): unit is DueWindow {
  return 'window' in unit;
}

/** What is due of one order up to a day, and when the order bills next. */
export interface DueOrder {
  readonly charges: readonly DueCharge[];
  readonly windows: readonly DueWindow[];
  /** The new `nextPeriodIndex` by line id, for each line whose pointer advances. */
  readonly nextPeriodIndex: ReadonlyMap<number, number>;
  /** The next day on which the order bills something; null if there is none. */
  readonly nextBillableDate: IsoDate | null;
}
