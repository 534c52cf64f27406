/** How attempts to collect end, and when the next one follows. */
import type { IsoDate } from '../model.ts';
import { nextRetryDay, type RetryDays } from './retries.ts';
import type { Uncharged } from './turn.ts';

/** How an attempt went, or why it never had its turn. */
export type AttemptOutcome =
  | 'paid'
  | 'declined'
  | 'nothingOwed'
  | 'noMethod'
  | 'skipped'
  | 'overtaken'
  | 'planEnabled'
  | 'planEnded';

/**
 * The outcome of an attempt whose payment charged nobody in its turn.
 *
 * @example outcomeOfUncharged({ kind: 'paid' }) // 'overtaken'
 */
export function outcomeOfUncharged({ kind }: Uncharged): AttemptOutcome {
  switch (kind) {
    case 'paid':
    case 'setAside':
    case 'nothingOwed':
      return 'overtaken';
    case 'planEnabled':
    case 'noMethod':
      return kind;
  }
}

export interface EndedAttempt {
  readonly outcome: AttemptOutcome;
  /** The day of the first decline before it; null if nothing has been declined so far. */
  readonly declinedOn: IsoDate | null;
}

export interface NextAttempt {
  readonly dueOn: IsoDate;
  /** The day of the first decline, from which the days of the schedule count. */
  readonly declinedOn: IsoDate;
}

/**
 * The attempt that follows on the tenant's next retry day; null if none does. The schedule goes on
 * after a decline, and after a retry day without a method that may be tried, until it is used up.
 *
 * @example
 * nextAttempt({ outcome: 'noMethod', declinedOn: '2027-01-15' },
 *   { retryDays: { days: [1, 3] }, today: '2027-01-16' })
 * // { dueOn: '2027-01-18', declinedOn: '2027-01-15' }
 */
export function nextAttempt(
  { outcome, declinedOn: before }: EndedAttempt,
  { retryDays, today }: { readonly retryDays: RetryDays; readonly today: IsoDate },
): NextAttempt | null {
  const declinedOn = before ?? (outcome === 'declined' ? today : null);
  const goesOn = outcome === 'declined' || outcome === 'noMethod';
  if (!goesOn || declinedOn === null) return null;
  const dueOn = nextRetryDay(retryDays, { declinedOn, today });
  return dueOn === null ? null : { dueOn, declinedOn };
}
