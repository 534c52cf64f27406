/** Pauses of service that end by themselves: the first day that is served again. */
import { addMonths, type IsoDate } from '../calendar/calendar.ts';
import type { ServicePause } from './line.ts';

const MONTHS_MAX = 60;

/**
 * Whether a pause may end on a day: one to come, at most five years ahead.
 *
 * @example isPauseEnd('2027-03-01', '2027-01-20') // true
 */
export function isPauseEnd(until: IsoDate, today: IsoDate): boolean {
  return until > today && until <= addMonths(today, MONTHS_MAX);
}

/**
 * The pauses once those of the order, or of its customer, that are still open have ended.
 *
 * @example resumedPauses([{ suspendedOn: '2027-01-20', resumedOn: null }], 'order', '2027-03-01')
 *   // [{ suspendedOn: '2027-01-20', resumedOn: '2027-03-01' }]
 */
export function resumedPauses(
  pauses: readonly ServicePause[],
  of: 'order' | 'customer',
  resumedOn: IsoDate,
): readonly ServicePause[] {
  return pauses.map((pause) => {
    const isIts = (pause.isOfCustomer ?? false) === (of === 'customer');
    return isIts && pause.resumedOn === null ? { ...pause, resumedOn, until: null } : pause;
  });
}

/** The day on which an order's own pause ends; null if none does. @example untilOf([]) // null */
export function untilOf(pauses: readonly ServicePause[]): IsoDate | null {
  return pauses.find(({ until, isOfCustomer = false }) => until && !isOfCustomer)?.until ?? null;
}
