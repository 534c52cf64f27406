/** The transitions of payments, credits and refunds, for the state machine (state.ts). */
import assert from 'node:assert';
import { addDays, type IsoDate } from '../calendar/calendar.ts';
import { add, compare, negate, sum, type Decimal } from '../money/money.ts';
import type { PaymentStatus } from './allocation.ts';
import type { Charged, Happened, PaymentState, Transition } from './happened.ts';
import { nextAskOn } from './resolution.ts';

/** The amounts with which a payment, credit or refund begins. */
export interface Begun {
  readonly amount: Decimal;
  readonly surcharge: Decimal;
}

/**
 * A new payment or refund: it waits for its turn, or for the end of the transaction that makes it.
 *
 * @example waiting('Payment', { amount: '100', surcharge: '0' }).phase // 'Waiting'
 */
export function waiting(type: 'Payment' | 'Refund', begun: Begun): PaymentState {
  return { ...untouched, type, status: 'Pending', phase: 'Waiting', ...begun };
}

/**
 * A new credit, final at once: a positive one is money, a negative one, a debit, is owed until money
 * is allocated to it.
 *
 * @example credited('-5').entries // [{ kind: 'debit', amount: '5' }]
 */
export function credited(amount: Decimal): Transition {
  const kind = compare(amount, '0') < 0 ? 'debit' : 'credit';
  const begun = { amount, surcharge: '0' };
  return {
    ...nothing,
    state: { ...untouched, type: 'Credit', status: 'Paid', phase: null, ...begun },
    entries: [{ kind, amount: negate(amount) }],
    unapplied: amount,
    raises: { type: 'credit.created' },
    allocates: true,
    madeInvoices: kind === 'debit' ? 'givenUp' : 'paid',
  };
}

const untouched = {
  refunded: '0',
  refundsUnderWay: 0,
  withdrawn: '0',
  transactionId: null,
  chargedOn: null,
  newsOn: null,
  actionEndsAt: null,
  resolvedOn: null,
} as const;

/** @example { ...nothing, state: ending(state, 'Declined'), freesTurn: true } */
export const nothing = {
  entries: [],
  unapplied: '0',
  shows: 'version',
  keepsMethod: false,
  raises: null,
  allocates: false,
  madeInvoices: null,
  attempt: null,
  claimed: null,
  releases: false,
  freesTurn: false,
  notifiesPage: null,
} as const satisfies Partial<Transition>;
/** @example { ...unseen, state } // callers see nothing of it */
export const unseen = { ...nothing, shows: 'nothing' } as const;

type Share = Extract<Happened, { readonly happened: 'reserved' | 'shareReturned' | 'shareKept' }>;
type Withdrawn = Extract<Happened, { readonly happened: 'withdrawn' }>;
type News = Extract<
  Happened,
  { readonly happened: 'resolved' | 'resolutionAnswered' | 'resolutionUnanswered' | 'asked' }
>;

/** @example ending(state, 'Declined') // { status: 'Declined', phase: null, ... } */
export function ending(state: PaymentState, status: PaymentStatus): PaymentState {
  return { ...state, status, phase: null, actionEndsAt: null };
}

/** The part that was received, without the surcharge, and that has not gone back. */
function keptOf({ amount, surcharge, refunded, withdrawn: gone }: PaymentState): Decimal {
  return sum([amount, ...[surcharge, refunded, gone].map(negate)]);
}

/**
 * The money came in. A surcharge is a pair of entries, because it is in no balance.
 *
 * @example paid(state, null, '2027-01-15').entries // [{ kind: 'payment', amount: '-100' }]
 */
export function paid(state: PaymentState, charged: Charged | null, today: IsoDate): Transition {
  const { surcharge } = state;
  const amount = keptOf(state);
  const hasSurcharge = compare(surcharge, '0') > 0;
  return {
    ...nothing,
    state: {
      ...ending(state, 'Paid'),
      transactionId: charged?.transactionId ?? state.transactionId,
      chargedOn: charged === null ? null : today,
      newsOn: charged?.newsOn ?? null,
    },
    entries: [
      { kind: 'payment', amount: negate(amount) },
      ...(hasSurcharge
        ? ([
            { kind: 'surcharge', amount: surcharge },
            { kind: 'surchargePaid', amount: negate(surcharge) },
          ] as const)
        : []),
    ],
    unapplied: amount,
    keepsMethod: true,
    raises: { type: 'payment.success' },
    allocates: true,
    madeInvoices: 'paid',
  };
}

/**
 * What is left of the payment did not stand.
 *
 * @example canceled(state).entries // [{ kind: 'paymentCanceled', amount: '100' }]
 */
export function canceled(state: PaymentState): Transition {
  const amount = keptOf(state);
  return {
    ...nothing,
    state: ending(state, 'Canceled'),
    entries: [{ kind: 'paymentCanceled', amount }],
    unapplied: negate(amount),
    allocates: true,
  };
}

/**
 * A refund of which nothing went back is declined; its amount stays what was asked for.
 *
 * @example returned(state, '60').entries // [{ kind: 'refund', amount: '60' }]
 */
export function returned(state: PaymentState, amount: Decimal): Transition {
  const freesTurn = state.phase !== 'Waiting';
  if (compare(amount, '0') <= 0) {
    return { ...nothing, state: ending(state, 'Declined'), allocates: true, freesTurn };
  }
  return {
    ...nothing,
    state: { ...ending(state, 'Paid'), amount: negate(amount) },
    entries: [{ kind: 'refund', amount }],
    raises: { type: 'refund.success' },
    allocates: true,
    freesTurn,
  };
}

/**
 * A share of a refund is reserved, has gone back, or stays with the payment. A payment of which
 * nothing is left is Voided or Refunded once no other refund takes from it.
 *
 * @example afterShare(state, { happened: 'reserved', amount: '60' }).state.refunded // '60'
 */
export function afterShare(state: PaymentState, share: Share): Transition {
  const { refunded, refundsUnderWay } = state;
  const { amount } = share;
  if (share.happened === 'reserved') {
    const reserved = add(refunded, amount);
    const after = { ...state, refunded: reserved, refundsUnderWay: refundsUnderWay + 1 };
    assert(compare(keptOf(after), '0') >= 0, 'a refund reserves at most what is left');
    return { ...nothing, state: after, shows: 'time' };
  }
  assert(refundsUnderWay > 0, 'a share belongs to a refund that is under way');
  const after = { ...state, refundsUnderWay: refundsUnderWay - 1 };
  if (share.happened === 'shareKept') {
    return { ...nothing, state: { ...after, refunded: add(refunded, negate(amount)) } };
  }
  const isGone = compare(keptOf(after), '0') <= 0 && after.refundsUnderWay === 0;
  const status = share.isVoid ? 'Voided' : 'Refunded';
  return { ...nothing, state: isGone ? ending(after, status) : after, unapplied: negate(amount) };
}

/**
 * The gateway took money back. The payment is Canceled once nothing of it is left.
 *
 * @example withdrawn(state, { amount: '40', by: 'return', ... }).state.withdrawn // '40'
 */
export function withdrawn(
  state: PaymentState,
  { amount, by, withdrawalId }: Withdrawn,
): Transition {
  assert(state.refundsUnderWay === 0, 'a withdrawal waits for the refunds that are under way');
  const after = { ...state, withdrawn: add(state.withdrawn, amount) };
  const kind = by === 'return' ? 'paymentReturned' : 'paymentDisputed';
  return {
    ...nothing,
    state: compare(keptOf(after), '0') <= 0 ? ending(after, 'Canceled') : after,
    entries: [{ kind, amount, withdrawalId }],
    unapplied: negate(amount),
    raises: { type: 'payment.failed', detail: { final: true, by } },
    allocates: true,
  };
}

/**
 * The days on which the gateway is asked about the payment again.
 *
 * @example afterNews(state, { happened: 'resolved', today: '2027-01-15' }).newsOn // '2027-01-16'
 */
export function afterNews(state: PaymentState, what: News): PaymentState {
  const { newsOn, resolvedOn } = state;
  switch (what.happened) {
    case 'resolved':
      return { ...state, resolvedOn: what.today, newsOn: addDays(what.today, 1) };
    case 'resolutionAnswered': {
      const answered = { ...state, resolvedOn: null, newsOn: null };
      // What a person resolved as declined stays so.
      if (what.charged === null || state.chargedOn === null) return answered;
      const { transactionId, newsOn: next = null } = what.charged;
      return { ...answered, transactionId: state.transactionId ?? transactionId, newsOn: next };
    }
    case 'resolutionUnanswered': {
      if (resolvedOn === null) return state;
      const askOn = nextAskOn({ resolvedOn, today: what.today });
      return { ...state, resolvedOn: askOn === null ? null : resolvedOn, newsOn: askOn };
    }
    case 'asked': {
      const isOver = resolvedOn === null && newsOn !== null && newsOn <= what.today;
      return isOver ? { ...state, newsOn: null } : state;
    }
  }
}
