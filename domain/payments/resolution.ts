/** When a person may resolve a gateway call, and how long the gateway is asked about it afterwards. */
import { addDays, type IsoDate } from '../calendar/calendar.ts';

/** The phase of a payment, and what its gateway knows of the call now. */
export interface CallNow {
  readonly phase: 'Waiting' | 'Charging' | 'Processing' | null;
  /** The gateway has no such call any more, or another one under the key. */
  readonly isLost: boolean;
}

/**
 * Whether a person may say how the call ended. A gateway that has accepted a call says so itself:
 * only what it has lost is resolved.
 *
 * @example mayResolve({ phase: 'Processing', isLost: false }) // false
 */
export function mayResolve({ phase, isLost }: CallNow): boolean {
  return phase === 'Charging' || (phase === 'Processing' && isLost);
}

/** For so many days after a resolution the gateway is asked what became of the call. */
const ASKED_DAYS_MAX = 30;

/**
 * The day on which the gateway is asked again about a resolved call that it has said nothing of;
 * null once that took too long.
 *
 * @example nextAskOn({ resolvedOn: '2027-01-15', today: '2027-01-16' }) // '2027-01-17'
 */
export function nextAskOn({
  resolvedOn,
  today,
}: {
  readonly resolvedOn: IsoDate;
  readonly today: IsoDate;
}): IsoDate | null {
  const next = addDays(today, 1);
  return next <= addDays(resolvedOn, ASKED_DAYS_MAX) ? next : null;
}
