/** Random lives of an invoice: what is open is what it came to, less what money has paid of it. */

import test from 'ava';
import { add, compare, negate, type Decimal } from '../../../domain/money/money.ts';
import type { InvoiceHappened, InvoiceState } from '../../../domain/invoices/happened.ts';
import { autopayPlace, invoiceAfter } from '../../../domain/invoices/state.ts';
import { invoiceMade, isPaidInFull } from '../../../domain/invoices/transitions.ts';
import { fc } from '../../support/random.ts';

const today = '2027-01-15';
const yesterday = '2027-01-14';
const tomorrow = '2027-01-16';
const AMOUNT = '100';

interface Life {
  readonly state: InvoiceState;
  /** What money has paid of it. */
  readonly applied: Decimal;
  /** By the events so far. */
  readonly isEarned: boolean;
}

/** What may happen next. */
function candidates({ state, applied }: Life, size: number): readonly (InvoiceHappened | null)[] {
  const { status, open, autopayOn } = state;
  const isOpen = status === 'Outstanding';
  const autopay = autopayPlace(state);
  const least = (limit: Decimal): Decimal =>
    compare(String(size), limit) < 0 ? String(size) : limit;
  const isDue = isOpen && autopayOn !== null && autopayOn <= today;
  const mayWait = isOpen && autopay !== 'awaits';
  return [
    isOpen ? { happened: 'paid', amount: least(open) } : null,
    compare(applied, '0') > 0 ? { happened: 'reopened', amount: least(applied) } : null,
    // A cancellation takes everything back before.
    isOpen && size < 5 && applied === '0'
      ? { happened: 'cancelled', isCredited: false, alsoPaid: false }
      : null,
    size > 115 && status !== 'CarriedOver' ? { happened: 'carriedOver' } : null,
    isDue && autopay === 'day' ? { happened: 'claimed', today } : null,
    isDue && autopay === 'day' ? { happened: 'announced', debitOn: tomorrow } : null,
    mayWait ? { happened: 'setAside', cascadeId: size, today } : null,
    mayWait ? { happened: 'leftToPlan', today } : null,
    isDue ? { happened: 'planEnded', from: tomorrow, today } : null,
    autopay === 'awaits' ? { happened: 'itsPaymentPaid' } : null,
    autopay === 'awaits' || autopay === 'aside' ? { happened: 'released' } : null,
  ];
}

function live(life: Life, what: InvoiceHappened): Life {
  const { state, commissions } = invoiceAfter(life.state, what);
  let { applied } = life;
  if (what.happened === 'paid') applied = add(applied, what.amount);
  if (what.happened === 'reopened') applied = add(applied, negate(what.amount));
  return { state, applied, isEarned: life.isEarned !== (commissions === 'settled') };
}

function assertBooks(t: { is: (a: unknown, b: unknown, why?: string) => unknown }, life: Life) {
  const { state, applied, isEarned } = life;
  const { status, open, carriedOpen, autopayOn, awaits, isSetAside } = state;
  const why = JSON.stringify(life);
  const left = add(AMOUNT, negate(applied));
  t.is(compare(open, status === 'Outstanding' ? left : '0'), 0, why);
  t.is(compare(open, '0') > 0, status === 'Outstanding', why);
  const isCancelled = status === 'Cancelled' || state.carriedFrom === 'Cancelled';
  if (status === 'Paid') t.is(compare(left, '0'), 0, why);
  t.is(status === 'CarriedOver', carriedOpen !== null, why);
  if (carriedOpen !== null) t.is(compare(carriedOpen, isCancelled ? '0' : left), 0, why);
  // The checks of the audit and of the table.
  if (autopayOn !== null) t.is(status, 'Outstanding', why);
  if (isSetAside) t.is(awaits === null, false, why);
  // Each settlement of commissions gives them, or takes them back.
  t.is(isPaidInFull(state), isEarned, why);
}

test('in any life of an invoice the money on it and what is open sum up to its amount', (t) => {
  const steps = fc.array(fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 120 })), {
    maxLength: 40,
  });
  const met = new Set<string>();
  const autopay = fc.constantFrom(
    { on: null, awaits: null },
    { on: yesterday, awaits: null },
    { on: tomorrow, awaits: null },
    { on: today, awaits: 5 },
  );
  const property = fc.property(steps, autopay, (all, made) => {
    let life: Life = { state: invoiceMade(AMOUNT, made).state, applied: '0', isEarned: false };
    for (const [kind, size] of all) {
      const possible = candidates(life, size).filter((each) => each !== null);
      const what = possible[kind % Math.max(1, possible.length)];
      if (!what) break;
      life = live(life, what);
      assertBooks(t, life);
      met.add(what.happened).add(`${life.state.status} ${autopayPlace(life.state)}`);
    }
  });
  fc.assert(property, { numRuns: 2_000, seed: 20_270_115 });
  fc.assert(property, { numRuns: 200 });
  const things = [
    'paid',
    'reopened',
    'cancelled',
    'carriedOver',
    'claimed',
    'announced',
    'setAside',
  ];
  const later = ['leftToPlan', 'planEnded', 'itsPaymentPaid', 'released'];
  const statuses = ['Outstanding', 'Paid', 'Cancelled', 'CarriedOver'];
  const places = statuses.flatMap((each) => [`${each} none`, `${each} awaits`, `${each} aside`]);
  for (const each of [...things, ...later, ...places, 'Outstanding day'])
    t.true(met.has(each), each);
});
