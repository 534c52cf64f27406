/** Usage of free days: clients meter from the first day on, and it is billed nowhere. */
import { addDays, maxDate, minDate, type IsoDate } from '../calendar/calendar.ts';
import type { OrderStatus } from '../standing/status.ts';

/** A record without a window, and its order. */
export interface FreeRecord {
  /** Its day; a correction has that of its record. */
  readonly day: IsoDate;
  readonly uploadedOn: IsoDate;
  /** The last free day of the order. */
  readonly trialEndDate: IsoDate;
  readonly status: OrderStatus;
  readonly endDate: IsoDate | null;
  readonly isAutoRenew: boolean;
  /** The last served day of a Canceled or Superseded order. */
  readonly endedOn: IsoDate | null;
}

/**
 * The day at whose 00:00 a record of a free day is Processed: after the trial and the days of grace, after
 * an earlier end of its order, but not before the day after its upload. Null for any other record.
 *
 * @example // a trial to 2027-01-31, no grace
 *   processedOn(record, 0) // '2027-02-01'
 */
export function processedOn(
  { day, uploadedOn, trialEndDate, ...order }: FreeRecord,
  graceDays: number,
): IsoDate | null {
  if (day > trialEndDate) return null;
  const afterTrial = addDays(trialEndDate, 1 + graceDays);
  const last = lastDayOf(order);
  const due = last === null ? afterTrial : minDate(afterTrial, addDays(last, 1));
  return maxDate(due, addDays(uploadedOn, 1));
}

function lastDayOf({
  status,
  endDate,
  isAutoRenew,
  endedOn,
}: Pick<FreeRecord, 'status' | 'endDate' | 'isAutoRenew' | 'endedOn'>): IsoDate | null {
  if (status === 'Canceled' || status === 'Superseded') return endedOn;
  return isAutoRenew ? null : endDate;
}
