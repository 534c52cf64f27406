/**
 * The state machine of payments, credits and refunds: what may happen in which state, and what
 * comes of it.
 */
import assert from 'node:assert';
import { DomainError } from '../errors.ts';
import type { PaymentStatus, PaymentType } from './allocation.ts';
import type {
  Happened,
  PaymentPhase,
  PaymentState,
  Transition,
  ClaimedInvoice,
  WaitEnd,
} from './happened.ts';
import {
  afterNews,
  afterShare,
  canceled,
  ending,
  nothing,
  paid,
  returned,
  unseen,
  withdrawn,
} from './transitions.ts';
import { type ConcludedOutcome, outcomeOfUncharged } from './attempts.ts';
import type { Uncharged } from './turn.ts';

/* The transitions of payments that bring no money. */

/**
 * In its turn the payment charges nobody.
 *
 * @example uncharged(state, { kind: 'paid' }).attempt // 'overtaken'
 */
function uncharged(state: PaymentState, why: Uncharged): Transition {
  return {
    ...nothing,
    state: ending(state, 'Canceled'),
    // Invoices made for it in another currency may still be open.
    madeInvoices: 'givenUp',
    attempt: outcomeOfUncharged(why),
    claimed: claimedAfter(why),
    freesTurn: true,
    notifiesPage: 'ended',
  };
}

function claimedAfter(why: Uncharged): ClaimedInvoice | null {
  if (why.kind === 'setAside') return { until: 'setAside', cascadeId: why.cascadeId };
  return why.kind === 'planEnabled' ? { until: 'planEnded' } : null;
}

/**
 * Each payment of a cascade fails for itself; only after the last one the cascade has failed.
 *
 * @example declined(state, true).attempt // 'declined'
 */
function declined(state: PaymentState, isLast: boolean): Transition {
  return {
    ...nothing,
    state: { ...ending(state, 'Declined'), newsOn: null },
    raises: { type: 'payment.failed', detail: { final: isLast } },
    madeInvoices: isLast ? 'givenUp' : null,
    attempt: isLast ? 'declined' : null,
    releases: state.phase === 'Processing',
    freesTurn: true,
    notifiesPage: isLast ? 'declined' : 'ended',
  };
}

/**
 * The gateway asks for the payer. No money has moved, and other payments of the customer go on.
 *
 * @example
 * payerAsked(charging, { transactionId: 'pi_1', until: { payer: 'absent', on: '2027-01-18' }, ... })
 *   .state.status // 'ActionRequired'
 */
function payerAsked(state: PaymentState, what: PayerAsked): Transition {
  const { transactionId, until } = what;
  const isAbsent = until.payer === 'absent';
  return {
    ...nothing,
    state: {
      ...state,
      status: 'ActionRequired',
      phase: null,
      transactionId,
      newsOn: isAbsent ? until.on : null,
      actionEndsAt: isAbsent ? null : until.at,
    },
    raises: { type: 'payment.actionRequired', detail: { payer: until.payer } },
    freesTurn: true,
    notifiesPage: 'ended',
  };
}

type PayerAsked = Extract<Happened, { readonly happened: 'payerAsked' }>;

/**
 * It waits for its payer no longer, and nobody has declined it. What another payment is about to
 * collect in its place is tried again if that fails.
 *
 * @example waitEnded(state, 'deleted').state.status // 'Canceled'
 */
function waitEnded(state: PaymentState, why: WaitEnd): Transition {
  const isLeftOpen = why === 'nothingOpen' || why === 'planEnabled';
  return {
    ...nothing,
    state: { ...ending(state, 'Canceled'), newsOn: null },
    madeInvoices: isLeftOpen ? 'givenUp' : 'paid',
    attempt: attemptOfEnded[why],
    claimed: why === 'planEnabled' ? { until: 'planEnded' } : null,
    freesTurn: true,
    notifiesPage: 'ended',
  };
}

const attemptOfEnded = {
  deleted: 'overtaken',
  nothingOpen: 'overtaken',
  planEnabled: 'planEnabled',
  superseded: 'declined',
} as const satisfies Readonly<Record<WaitEnd, ConcludedOutcome>>;

type Place = `${PaymentType} ${PaymentPhase | Exclude<PaymentStatus, 'Pending'>}`;

const waitingForPayer = 'Payment ActionRequired' as const;
const calling = ['Payment Charging', 'Payment Processing', waitingForPayer] as const;
const returning = ['Refund Charging', 'Refund Processing'] as const;
const ended = [
  'Payment Paid',
  'Payment Declined',
  'Payment Canceled',
  'Payment Voided',
  'Payment Refunded',
  'Refund Paid',
  'Refund Declined',
] as const;

/** Where each thing may happen. Elsewhere it is refused, or only a bug can cause it. */
const places: Readonly<Record<Happened['happened'], readonly Place[]>> = {
  turn: ['Payment Waiting', 'Refund Waiting'],
  uncharged: ['Payment Waiting'],
  tooLate: ['Refund Charging'],
  accepted: ['Payment Charging', 'Refund Charging', waitingForPayer],
  payerAsked: ['Payment Charging'],
  waitEnded: [waitingForPayer],
  approved: calling,
  declined: calling,
  received: ['Payment Waiting'],
  returned: ['Refund Waiting', ...returning],
  reserved: ['Payment Paid'],
  shareReturned: ['Payment Paid'],
  shareKept: ['Payment Paid'],
  canceled: ['Payment Paid'],
  withdrawn: ['Payment Paid'],
  resolved: ['Payment Paid', 'Payment Declined', ...returning],
  resolutionAnswered: [...ended, ...returning],
  resolutionUnanswered: [...ended, ...returning],
  asked: [...ended, ...returning, 'Payment Processing'],
};

/**
 * What becomes of a payment when something happens to it. Throws payment.notCancellable; anything
 * else that cannot happen in its state is a bug.
 *
 * @example
 * const { state, entries } = paymentAfter(charging, { happened: 'approved', ... })
 * // state.status 'Paid', entries [{ kind: 'payment', amount: '-100' }]
 */
export function paymentAfter(payment: PaymentState, what: Happened): Transition {
  const state = stateOf(payment);
  if (what.happened === 'canceled') assertCancellable(state);
  const place = placeOf(state);
  assert(places[what.happened].includes(place), `${what.happened} cannot happen to a ${place}`);
  switch (what.happened) {
    case 'turn':
      return { ...nothing, state: { ...state, phase: 'Charging', amount: what.amount } };
    case 'uncharged':
      return uncharged(state, what.why);
    case 'tooLate':
      return { ...nothing, state: ending(state, 'Declined'), freesTurn: true };
    case 'accepted': {
      const { transactionId, newsOn = null } = what;
      const accepted = {
        ...state,
        status: 'Pending',
        phase: 'Processing',
        transactionId: transactionId ?? state.transactionId,
        newsOn,
        actionEndsAt: null,
      } as const;
      // A page need not wait for the days of a debit.
      const notifiesPage = state.type === 'Payment' ? 'ended' : null;
      return { ...nothing, state: accepted, freesTurn: true, notifiesPage };
    }
    case 'payerAsked':
      return payerAsked(state, what);
    case 'waitEnded':
      return waitEnded(state, what.why);
    case 'approved': {
      const releases = state.phase === 'Processing';
      const ended = { attempt: 'paid', freesTurn: true, releases, notifiesPage: 'ended' } as const;
      const charged = { ...state, amount: what.amount ?? state.amount };
      return { ...paid(charged, what, what.today), ...ended };
    }
    case 'received':
      return paid(state, what.charged, what.today);
    case 'declined':
      return declined(state, what.isLast);
    case 'returned':
      return returned(state, what.amount);
    case 'reserved':
    case 'shareReturned':
    case 'shareKept':
      return afterShare(state, what);
    case 'canceled':
      return canceled(state);
    case 'withdrawn':
      return withdrawn(state, what);
    case 'resolved':
    case 'resolutionAnswered':
    case 'resolutionUnanswered':
    case 'asked':
      return { ...unseen, state: afterNews(state, what) };
  }
}

/**
 * Whether its gateway may still say how a call of it ends.
 *
 * @example isUnderWay({ status: 'Pending', phase: 'Waiting' }) // false
 */
export function isUnderWay({ status, phase }: Pick<PaymentState, 'status' | 'phase'>): boolean {
  return phase === 'Charging' || phase === 'Processing' || status === 'ActionRequired';
}

/**
 * Whether nothing more happens to it by itself.
 *
 * @example isFinal({ status: 'ActionRequired' }) // false
 */
export function isFinal({ status }: Pick<PaymentState, 'status'>): boolean {
  return status !== 'Pending' && status !== 'ActionRequired';
}

function assertCancellable({ type, status, refundsUnderWay }: PaymentState): void {
  if (type === 'Payment' && status === 'Paid' && refundsUnderWay === 0) return;
  const why = status === 'Paid' ? 'a refund of it is in progress' : `this one is ${status}`;
  throw new DomainError(
    'payment.notCancellable',
    `only a Paid payment without a refund in progress can be cancelled: ${why}`,
    { value: status },
  );
}

/** Without what else a row has. */
function stateOf(payment: PaymentState): PaymentState {
  const { type, status, phase, amount, surcharge, refunded, refundsUnderWay } = payment;
  const { withdrawn: gone, transactionId, chargedOn, newsOn, resolvedOn } = payment;
  const { actionEndsAt } = payment;
  const sums = { amount, surcharge, refunded, refundsUnderWay, withdrawn: gone };
  const days = { chargedOn, newsOn, actionEndsAt, resolvedOn };
  return { type, status, phase, ...sums, transactionId, ...days };
}

function placeOf({ type, status, phase }: PaymentState): Place {
  assert((status === 'Pending') === (phase !== null), 'a Pending payment has a phase, no other');
  return `${type} ${status === 'Pending' ? (phase ?? 'Waiting') : status}`;
}
