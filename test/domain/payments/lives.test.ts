/** Random lives of a payment: its ledger entries and its balance are what its state says. */

import test from 'ava';
import { add, compare, negate, sum, type Decimal } from '../../../domain/money/money.ts';
import type { Happened, PaymentState } from '../../../domain/payments/happened.ts';
import { paymentAfter } from '../../../domain/payments/state.ts';
import { waiting } from '../../../domain/payments/transitions.ts';
import { fc } from '../../support/random.ts';

const today = '2027-01-15';

/** A payment, and what has been written of it. */
interface Life {
  readonly state: PaymentState;
  readonly entered: Decimal;
  readonly unapplied: Decimal;
  /** Amounts that refunds under way have reserved. */
  readonly reserved: readonly Decimal[];
}

const keptOf = ({ amount, surcharge, refunded, withdrawn }: PaymentState): Decimal =>
  sum([amount, ...[surcharge, refunded, withdrawn].map(negate)]);

const isPaid = ({ state }: Life): boolean => state.status === 'Paid';

/** A part of what is left, at least 1 of it. */
const part = (life: Life, size: number): Decimal =>
  compare(String(size), keptOf(life.state)) < 0 ? String(size) : keptOf(life.state);

/** What may happen next. */
function candidates(life: Life, size: number): readonly (Happened | null)[] {
  const { state, reserved } = life;
  const [share] = reserved;
  const canTake = isPaid(life) && compare(keptOf(state), '0') > 0;
  const { phase } = state;
  const isUnderWay = phase === 'Charging' || phase === 'Processing';
  const amount = part(life, size);
  return [
    phase === 'Waiting' ? { happened: 'turn', amount: state.amount } : null,
    phase === 'Charging' ? { happened: 'accepted', transactionId: 'ch_1' } : null,
    isUnderWay ? { happened: 'approved', transactionId: 'ch_1', today } : null,
    isUnderWay && size < 10 ? { happened: 'declined', isLast: size % 2 > 0 } : null,
    canTake ? { happened: 'reserved', amount } : null,
    share === undefined ? null : { happened: 'shareReturned', amount: share, isVoid: size % 2 > 0 },
    share === undefined ? null : { happened: 'shareKept', amount: share },
    canTake && reserved.length === 0
      ? { happened: 'withdrawn', amount, by: 'dispute', withdrawalId: size }
      : null,
    canTake && reserved.length === 0 && size < 10 ? { happened: 'canceled' } : null,
  ];
}

function live(life: Life, what: Happened): Life {
  const { state, entries, unapplied } = paymentAfter(life.state, what);
  const ends = what.happened === 'shareReturned' || what.happened === 'shareKept';
  const reserved = what.happened === 'reserved' ? [...life.reserved, what.amount] : life.reserved;
  return {
    state,
    entered: sum([life.entered, ...entries.map(({ amount }) => amount)]),
    unapplied: add(life.unapplied, unapplied),
    reserved: ends ? reserved.slice(1) : reserved,
  };
}

function assertBooks(t: { is: (a: unknown, b: unknown, why?: string) => unknown }, life: Life) {
  const { state, entered, unapplied, reserved } = life;
  const { status, amount, surcharge, refunded, withdrawn, refundsUnderWay } = state;
  const why = JSON.stringify(life);
  t.is(compare(keptOf(state), '0') >= 0, true, why);
  t.is(refundsUnderWay, reserved.length, why);
  const returned = add(refunded, negate(sum(reserved)));
  const received = ['Paid', 'Voided', 'Refunded'].includes(status)
    ? sum([amount, negate(surcharge), negate(withdrawn)])
    : '0';
  const isCanceled = status === 'Canceled';
  // A refund is entered with the refund, so what went back of a canceled payment remains entered.
  t.is(compare(entered, negate(isCanceled ? returned : received)), 0, why);
  const left = isCanceled || received === '0' ? '0' : add(received, negate(returned));
  t.is(compare(unapplied, left), 0, why);
}

test('in any life the entries sum to what was received, and the balance to what is left', (t) => {
  const steps = fc.array(fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 120 })), {
    maxLength: 40,
  });
  const statuses = new Set<string>();
  const property = fc.property(steps, fc.integer({ min: 0, max: 3 }), (all, surcharge) => {
    const begun = { amount: String(100 + surcharge), surcharge: String(surcharge) };
    let life: Life = {
      state: waiting('Payment', begun),
      entered: '0',
      unapplied: '0',
      reserved: [],
    };
    for (const [kind, size] of all) {
      const possible = candidates(life, size).filter((each) => each !== null);
      const what = possible[kind % Math.max(1, possible.length)];
      if (!what) break;
      life = live(life, what);
      assertBooks(t, life);
    }
    statuses.add(life.state.phase ?? life.state.status);
  });
  fc.assert(property, { numRuns: 2_000, seed: 20_270_115 });
  fc.assert(property, { numRuns: 200 });
  const every = ['Waiting', 'Charging', 'Processing', 'Paid', 'Declined', 'Canceled', 'Voided'];
  for (const status of [...every, 'Refunded']) t.true(statuses.has(status), status);
});
