/**
 * The state machine of a sign-up and its tries: what may happen in which state, and what comes of
 * it.
 */
import assert from 'node:assert';
import { DECLINES_MAX, openTries, type SignupStatus, type TryStatus } from './signup.ts';

export interface SignupState {
  readonly status: SignupStatus;
  /** Of the newest try; null before the first. */
  readonly lastTry: TryStatus | null;
  /** How many of its tries were declined. */
  readonly declines: number;
  /** Its customer, order and invoices exist. */
  readonly isMade: boolean;
}

export type SignupHappened =
  /** A form was accepted; its card goes to the vault first. */
  | { readonly happened: 'taken'; readonly hasCard: boolean }
  | { readonly happened: 'stored' }
  /** The form is shown again: a fault that the visitor can mend, or something was not ready. */
  | { readonly happened: 'returned' }
  /** It charges nothing today, and waits for the button of a mailed page; or does so again. */
  | { readonly happened: 'asked' }
  /** That button was pressed. */
  | { readonly happened: 'confirmed' }
  /** Its payment waits for the gateway. */
  | { readonly happened: 'charging' }
  /** Nothing is left to pay, by its payment or otherwise: then its own payment was canceled. */
  | { readonly happened: 'paid'; readonly isOtherwise?: boolean }
  | { readonly happened: 'declined' }
  /** Nothing that the visitor enters would help; or somebody has cancelled its invoices. */
  | { readonly happened: 'refused'; readonly code: string }
  | { readonly happened: 'deadline' }
  /** An operator ends it. */
  | { readonly happened: 'cancelled' };

export interface SignupTransition {
  readonly state: SignupState;
  /** Why it ended, if it did not end well. */
  readonly failureCode: string | null;
  /** What was made is reversed. */
  readonly undoes: boolean;
  /** The event signup.processed follows. */
  readonly raises: boolean;
}

type Place = TryStatus | 'none';

const open: readonly Place[] = openTries;
const closed: readonly Place[] = ['none', 'paid', 'declined', 'returned'];

/** By the newest try, where each thing may happen; anything else is a bug. */
const places: Readonly<Record<SignupHappened['happened'], readonly Place[]>> = {
  taken: closed,
  stored: ['storing'],
  returned: ['storing', 'submitted', 'charging'],
  asked: ['submitted'],
  confirmed: ['confirming'],
  charging: ['submitted'],
  // Without an open try its invoices were paid otherwise.
  paid: ['submitted', 'charging', ...closed],
  declined: ['submitted', 'charging'],
  refused: ['submitted', 'charging', ...closed],
  deadline: ['confirming', ...closed],
  // A Pending payment is awaited.
  cancelled: ['storing', 'submitted', 'confirming', ...closed],
};

/**
 * What becomes of a sign-up when something happens to it.
 *
 * @example // the third decline
 *   signupAfter({ status: 'DRAFT', lastTry: 'charging', declines: 2, isMade: true },
 *     { happened: 'declined' }).state.status // 'FAILED'
 */
export function signupAfter(before: SignupState, what: SignupHappened): SignupTransition {
  const place = before.lastTry ?? 'none';
  const isAllowed = before.status === 'DRAFT' && places[what.happened].includes(place);
  assert(isAllowed, `${what.happened} cannot happen to a ${before.status} ${place}`);
  switch (what.happened) {
    case 'taken':
      return goesOn({ ...before, lastTry: what.hasCard ? 'storing' : 'submitted' });
    case 'stored':
      return goesOn({ ...before, lastTry: 'submitted' });
    case 'asked':
      return goesOn({ ...before, lastTry: 'confirming' });
    case 'confirmed':
      return goesOn({ ...before, lastTry: 'submitted' });
    case 'charging':
      return goesOn({ ...before, lastTry: 'charging', isMade: true });
    case 'returned':
      return goesOn({ ...before, lastTry: 'returned' });
    case 'paid': {
      const outcome = what.isOtherwise === true ? 'returned' : 'paid';
      const lastTry = open.includes(place) ? outcome : before.lastTry;
      const state = { ...before, status: 'PROCESSED', lastTry, isMade: true } as const;
      return { state, failureCode: null, undoes: false, raises: true };
    }
    case 'declined': {
      const declined = { ...before, lastTry: 'declined', declines: before.declines + 1 } as const;
      return declined.declines < DECLINES_MAX ? goesOn(declined) : failed(declined, 'declined');
    }
    case 'refused':
      return failed(withoutTry(before), what.code);
    case 'deadline': {
      if (place === 'confirming') return expired(withoutTry(before), 'expired');
      if (before.declines > 0) return failed(before, 'declined');
      return before.isMade ? failed(before, 'expired') : expired(before, 'expired');
    }
    case 'cancelled': {
      const state = withoutTry(before);
      const isUntouched = state.declines === 0 && !state.isMade;
      return isUntouched ? expired(state, 'operator') : failed(state, 'operator');
    }
  }
}

function goesOn(state: SignupState): SignupTransition {
  return { state, failureCode: null, undoes: false, raises: false };
}

function failed(before: SignupState, failureCode: string): SignupTransition {
  const state = { ...before, status: 'FAILED' } as const;
  return { state, failureCode, undoes: before.isMade, raises: true };
}

function expired(before: SignupState, failureCode: string): SignupTransition {
  const state = { ...before, status: 'EXPIRED' } as const;
  return { state, failureCode, undoes: false, raises: false };
}

/** A try that leads nowhere is returned. */
function withoutTry(before: SignupState): SignupState {
  return open.includes(before.lastTry ?? 'none') ? { ...before, lastTry: 'returned' } : before;
}
