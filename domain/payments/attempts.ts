/** The state machine of collection attempts: how they end, and when there is another one. */
import { type IsoDate, addDays, addMonths } from '../calendar/calendar.ts';
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

/** How an attempt that was claimed may end. */
export type ConcludedOutcome = Exclude<AttemptOutcome, 'skipped' | 'planEnded'>;

/**
 * The outcome of an attempt whose payment charged nobody in its turn.
 *
 * @example outcomeOfUncharged({ kind: 'paid' }) // 'overtaken'
 */
export function outcomeOfUncharged({ kind }: Uncharged): ConcludedOutcome {
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
  /** A new payment method made an attempt, after the schedule had ended. */
  readonly byNewMethod?: boolean;
}

export interface NextAttempt {
  readonly dueOn: IsoDate;
  /** The day of the first decline, from which the days of the schedule count. */
  readonly declinedOn: IsoDate;
}

/**
 * The attempt of the tenant's next retry day; null if there is none. The schedule continues
 * after a decline, and after a retry day without a method that may be tried, until it is used up. What
 * a new payment method tries begins none.
 *
 * @example
 * nextAttempt({ outcome: 'noMethod', declinedOn: '2027-01-15' },
 *   { retryDays: { days: [1, 3] }, today: '2027-01-16' })
 * // { dueOn: '2027-01-18', declinedOn: '2027-01-15' }
 */
export function nextAttempt(
  { outcome, declinedOn: before, byNewMethod = false }: EndedAttempt,
  { retryDays, today }: { readonly retryDays: RetryDays; readonly today: IsoDate },
): NextAttempt | null {
  const declinedOn = before ?? (outcome === 'declined' ? today : null);
  if (!continues(outcome) || declinedOn === null || byNewMethod) return null;
  const dueOn = nextRetryDay(retryDays, { declinedOn, today });
  return dueOn === null ? null : { dueOn, declinedOn };
}

function continues(outcome: AttemptOutcome): boolean {
  return outcome === 'declined' || outcome === 'noMethod';
}

/** An attempt waits for its day, has a payment, has had its turn, or was ended before it. */
export type AttemptState = 'due' | 'claimed' | 'done' | 'ended';

export type AttemptHappened =
  /** Its day has come. */
  | { readonly happened: 'claimed' }
  /** Its payment has ended, or it gets none. */
  | {
      readonly happened: 'concluded';
      readonly outcome: ConcludedOutcome;
      /** In its claim, which looks at plans and retries for all that it claims. */
      readonly isInClaim?: boolean;
    }
  | { readonly happened: 'skipped' }
  /** What it was to collect is paid, or a payment plan began or ended. */
  | {
      readonly happened: 'ended';
      readonly outcome: Extract<AttemptOutcome, 'overtaken' | 'planEnabled' | 'planEnded'>;
    }
  | { readonly happened: 'moved'; readonly dueOn: IsoDate }
  /** A change of its plan had ended it, and another one needs it again. */
  | { readonly happened: 'reopened'; readonly dueOn: IsoDate };

/** What becomes of an attempt in the state `from`; in another state it cannot happen. */
export interface AttemptChange {
  readonly from: AttemptState;
  readonly state: AttemptState;
  readonly outcome: AttemptOutcome | null;
  readonly concludedOn: IsoDate | null;
  /** Null if its day stays. */
  readonly dueOn: IsoDate | null;
  /** That of an installment is an event. */
  readonly raises: boolean;
  /** The schedule of retries may have another attempt. */
  readonly triesAgain: boolean;
  /** Its plan counts an installment, and may be over; a plan that a person changes is marked there. */
  readonly marksPlan: boolean;
  /** The dunning of its customer stays open while retries remain. */
  readonly reviewsRetries: boolean;
}

/**
 * What becomes of an attempt. Each thing happens in one state only, so that one statement may do it
 * to many attempts.
 *
 * @example attemptChange({ happened: 'claimed' }, '2027-01-15') // from 'due', state 'claimed'
 */
export function attemptChange(what: AttemptHappened, today: IsoDate): AttemptChange {
  switch (what.happened) {
    case 'claimed':
      return { ...open, from: 'due', state: 'claimed', marksPlan: true, reviewsRetries: true };
    case 'concluded':
      return { ...concluded(what), ...over(what.outcome, today), from: 'claimed', state: 'done' };
    case 'skipped':
      return { ...nothing, ...over('skipped', today), from: 'due', state: 'done', raises: true };
    case 'ended':
      return { ...nothing, ...over(what.outcome, today), from: 'due', state: 'ended' };
    case 'moved':
      return { ...open, from: 'due', state: 'due', dueOn: what.dueOn };
    case 'reopened':
      return { ...open, from: 'ended', state: 'due', dueOn: what.dueOn };
  }
}

const nothing = {
  raises: false,
  triesAgain: false,
  marksPlan: false,
  reviewsRetries: false,
} as const;

const open = { ...nothing, outcome: null, concludedOn: null, dueOn: null } as const;

type Concluded = Extract<AttemptHappened, { readonly happened: 'concluded' }>;

function concluded({ outcome, isInClaim = false }: Concluded) {
  const triesAgain = continues(outcome);
  return { raises: true, triesAgain, marksPlan: !isInClaim, reviewsRetries: !isInClaim };
}

function over(outcome: AttemptOutcome, concludedOn: IsoDate) {
  return { outcome, concludedOn, dueOn: null };
}

/* On which day a declined automatic payment is tried again. */

/** Days after the first decline, or days of each month. */
export type RetryDays =
  | { readonly days: readonly number[] }
  | { readonly daysOfMonth: readonly number[] };

export const defaultRetryDays: RetryDays = { days: [1, 3, 5, 7] };

/** By days of the month it is tried again for this long. */
const RETRY_MONTHS_MAX = 3;

interface RetryBasis {
  /** The day of the first decline. */
  readonly declinedOn: IsoDate;
  readonly today: IsoDate;
}

/**
 * The next day of the schedule after today; null once the schedule is used up. A day of the month
 * that the month does not have is its last day.
 *
 * @example nextRetryDay({ days: [1, 3] }, { declinedOn: '2027-01-31', today: '2027-02-01' })
 *   // '2027-02-03'
 */
export function nextRetryDay(
  retryDays: RetryDays,
  { declinedOn, today }: RetryBasis,
): IsoDate | null {
  if ('days' in retryDays) {
    const days = retryDays.days.map((count) => addDays(declinedOn, count));
    return first(days, today);
  }
  const last = addMonths(declinedOn, RETRY_MONTHS_MAX);
  const months = [0, 1].map((count) => `${addMonths(today, count).slice(0, 7)}-01`);
  const days = months.flatMap((begin) => {
    const end = addDays(addMonths(begin, 1), -1);
    return retryDays.daysOfMonth.map((day) => {
      const date = addDays(begin, day - 1);
      return date < end ? date : end;
    });
  });
  const next = first(days, today);
  return next !== null && next <= last ? next : null;
}

function first(days: readonly IsoDate[], today: IsoDate): IsoDate | null {
  return days.filter((day) => day > today).toSorted()[0] ?? null;
}
