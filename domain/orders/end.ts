/** Ends of orders by request: on which day one comes, and what is set aside until it is taken back. */
import {
  type IsoDate,
  type Schedule,
  maxDate,
  periodAt,
  periodIndexOf,
} from '../calendar/calendar.ts';
import { type TrialDays, billsFrom, isInTrial } from '../standing/trial.ts';

/** When a requested end comes. */
export const endTimes = ['now', 'periodEnd', 'termEnd'] as const;
export type EndTime = (typeof endTimes)[number];

/** The end of an order as its terms have it. */
export interface EndTerms {
  readonly endDate: IsoDate | null;
  readonly isAutoRenew: boolean;
}

/** What a requested end sets aside until it is taken back. */
export interface EndSetAside {
  readonly cancelReason: string | null;
  /** Null: no end is requested. */
  readonly keptAutoRenew: boolean | null;
  readonly keptEndDate: IsoDate | null;
}

/** @example noRequest.keptAutoRenew // null */
export const noRequest: EndSetAside = {
  cancelReason: null,
  keptAutoRenew: null,
  keptEndDate: null,
};

/** What a requested end needs to know of an order's periods. */
export interface EndPeriods extends TrialDays {
  readonly schedule: Schedule;
  /** The newest period that was billed; null if none is. Periods in arrears are never beyond today's. */
  readonly newestPeriod: number | null;
}

/** The days on which an order may end by request. */
export interface EndDays {
  readonly periodEnd: IsoDate;
  /** The end of its trial, while it is in it and nothing is billed; else null. */
  readonly trialEnd: IsoDate | null;
}

/**
 * The days on which an order may end by request. One that was billed ahead in its trial ends with what
 * is paid.
 *
 * @example // monthly from 2027-01-15, billed to 2027-02-14
 *   endDaysOn(periods, '2027-01-20') // { periodEnd: '2027-02-14', trialEnd: null }
 */
export function endDaysOn(periods: EndPeriods, today: IsoDate): EndDays {
  const { trialEndDate, newestPeriod } = periods;
  const isFree = newestPeriod === null && isInTrial(periods, today);
  return { periodEnd: periodEndOn(periods, today), trialEnd: isFree ? trialEndDate : null };
}

/**
 * The last day of the period of today, or of the first one, or of the newest one billed in advance,
 * whichever is the latest.
 *
 * @example // monthly from 2027-01-15, billed to 2027-02-14
 *   periodEndOn(periods, '2027-01-20') // '2027-02-14'
 */
export function periodEndOn(
  { schedule, newestPeriod, ...days }: EndPeriods,
  today: IsoDate,
): IsoDate {
  const underWay = periodIndexOf(schedule, maxDate(today, billsFrom(days)));
  return periodAt(schedule, Math.max(underWay, newestPeriod ?? underWay)).end;
}

/**
 * The endDate by request: in a trial its end; else the term's end if that is asked for, else the
 * period's; an earlier end without renewal stays.
 *
 * @example // a term to 2028-01-14 that renews
 *   requestedEnd(terms, 'termEnd', { periodEnd: '2027-02-14', trialEnd: null }) // '2028-01-14'
 */
export function requestedEnd(
  { endDate, isAutoRenew }: EndTerms,
  when: Exclude<EndTime, 'now'>,
  { periodEnd, trialEnd }: EndDays,
): IsoDate {
  if (trialEnd !== null) return trialEnd;
  if (endDate === null) return periodEnd;
  const stays = when === 'termEnd' || (!isAutoRenew && endDate < periodEnd);
  return stays ? endDate : periodEnd;
}
