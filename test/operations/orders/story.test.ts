/** The sentences about an order: its invoices, and the orders before and after it. */
import test from 'ava';
import type { WokenOrder } from '../../../db/queries/orders/wake.ts';
import { storyOf } from '../../../operations/orders/story.ts';
import { invoiceText, ownStepsOf } from '../../../operations/orders/words.ts';

const plain: WokenOrder = {
  customerId: 1,
  customerRef: null,
  customerStatus: 'Active',
  planId: 1,
  status: 'Active',
  startDate: '2027-01-15',
  changeOn: null,
  previousNumber: null,
  successor: null,
  endDate: null,
  isEndRequested: false,
  cancelReason: null,
  billedThrough: null,
  pausedUntil: null,
  trialEndDate: null,
  customerPausedUntil: null,
  priceChangeOn: null,
  isAutoRenew: true,
  billOn: '2027-03-15',
  transitionOn: null,
  nextActionOn: '2027-03-15',
  autopayOn: null,
  heldCode: null,
  taxWait: null,
  coupon: null,
  agents: null,
  made: [],
};
const next = { what: 'bills', on: '2027-03-15' } as const;
const successor = { number: 1043, startDate: '2027-03-20' };
const pending: WokenOrder = { ...plain, changeOn: '2027-03-20', successor };
const seen = { line: 0, status: 'Active', heldCode: null, next: 'bills on 2027-03-15' };

test('an invoice that orders share shows the part of the order', (t) => {
  const invoice = { number: '1001', currency: 'USD', amount: '108.9000' };
  t.is(invoiceText({ ...invoice, part: '108.9' }), 'invoice 1001, 108.90 USD');
  t.is(invoiceText({ ...invoice, part: '29.9500' }), 'invoice 1001, 29.95 of 108.90 USD');
  t.is(invoiceText({ ...invoice, part: '0' }), 'invoice 1001, 0.00 of 108.90 USD');
});

test('a change is told when it is posted, and when it has taken effect', (t) => {
  const posted = storyOf(pending, { today: '2027-02-05', next, before: seen });
  t.deepEqual(posted.happened, ['2027-02-05: changes to order 1043 on 2027-03-20']);
  t.deepEqual(posted.changes, ['changes to order 1043 on 2027-03-20']);
  const again = storyOf(pending, { today: '2027-02-06', next, before: posted.seen });
  t.deepEqual(again.happened, []);
  const replaced: WokenOrder = { ...pending, status: 'Superseded', changeOn: null };
  const after = storyOf(replaced, { today: '2027-03-20', next: null, before: again.seen });
  t.deepEqual(after.happened, [
    '2027-03-20: is Superseded, was Active',
    '2027-03-20: replaced by order 1043 since 2027-03-20',
  ]);
});

test('a trial is told until it is over', (t) => {
  const trial: WokenOrder = { ...plain, trialEndDate: '2027-01-31' };
  const first = storyOf(trial, { today: '2027-01-15', next, before: undefined });
  t.deepEqual(first.changes, ['trial to 2027-01-31']);
  const over = storyOf(trial, { today: '2027-02-01', next, before: first.seen });
  t.is(over.changes, undefined);
  const ended: WokenOrder = { ...trial, status: 'Canceled' };
  t.is(storyOf(ended, { today: '2027-01-20', next: null, before: seen }).changes, undefined);
});

test('the new order says since when it replaces the other', (t) => {
  const waiting: WokenOrder = {
    ...plain,
    status: 'Provisioning',
    startDate: '2027-03-20',
    previousNumber: 1042,
  };
  const starts = { what: 'starts', on: '2027-03-20' } as const;
  const first = storyOf(waiting, { today: '2027-02-05', next: starts, before: undefined });
  t.deepEqual(first.changes, ['replaces order 1042 on 2027-03-20']);
  const active: WokenOrder = { ...waiting, status: 'Active' };
  const { changes } = storyOf(active, { today: '2027-03-20', next, before: first.seen });
  t.deepEqual(changes, ['replaces order 1042 since 2027-03-20']);
});

test('days that are billed elsewhere are named', (t) => {
  const moved: WokenOrder = { ...plain, billedThrough: '2027-01-14' };
  const { changes } = storyOf(moved, { today: '2027-01-15', next, before: undefined });
  t.deepEqual(changes, ['billed elsewhere to 2027-01-14']);
});

test('an order in the middle of a chain names both neighbours', (t) => {
  const { changes } = storyOf(
    { ...pending, previousNumber: 1041 },
    { today: '2027-02-05', next, before: undefined },
  );
  t.deepEqual(changes, [
    'replaces order 1041 since 2027-01-15',
    'changes to order 1043 on 2027-03-20',
  ]);
});

test('a withdrawn change is told by the next step', (t) => {
  const changes = { what: 'changes', on: '2027-03-20' } as const;
  const posted = storyOf(pending, { today: '2027-02-05', next: changes, before: seen });
  const { happened, ...told } = storyOf(plain, { today: '2027-02-06', next, before: posted.seen });
  t.deepEqual(happened, ['2027-02-06: bills on 2027-03-15, before: changes on 2027-03-20']);
  t.false('changes' in told);
  t.false('changes' in told.seen);
});

test('agents are named with what is due next, and what they have earned is told once', (t) => {
  const link = { agent: 'AGENT-1', plan: 'STD', since: '2027-01-15' };
  const row = { on: '2027-02-01', agent: 'AGENT-1', currency: 'USD', code: 'STD-REC' };
  const paid = { ...row, id: 7, amount: '2.7000', invoice: '1001', isReversal: false };
  const back = { ...paid, id: 8, amount: '-2.7000', isReversal: true };
  const bonus = { ...paid, id: 9, amount: '25.0000', invoice: null, code: 'STD-SIGN' };
  const due = [{ code: 'STD-SIGN', on: '2027-02-15' }];
  const agents = { links: [{ ...link, due }], earned: [paid, back, bonus] };
  const told = storyOf({ ...plain, agents }, { today: '2027-02-02', next, before: seen });
  t.deepEqual(told.agents, ['agent AGENT-1 by STD since 2027-01-15, STD-SIGN on 2027-02-15']);
  t.deepEqual(told.happened, [
    '2027-02-01: invoice 1001 paid: 2.70 to AGENT-1',
    '2027-02-01: taken back of invoice 1001: -2.70 to AGENT-1',
    '2027-02-01: STD-SIGN due: 25.00 to AGENT-1',
  ]);
  t.is(told.seen.earned, 9);
  const quiet = { links: [{ ...link, due: [] }], earned: [] };
  const after = storyOf(
    { ...plain, agents: quiet },
    { today: '2027-02-03', next, before: told.seen },
  );
  t.deepEqual(after.happened, []);
  t.deepEqual(after.agents, ['agent AGENT-1 by STD since 2027-01-15']);
  t.is(after.seen.earned, 9);
});

test('what an order does by itself: a change before its bill, its bill before what else becomes of it', (t) => {
  const own = (days: Partial<WokenOrder>) => ownStepsOf({ ...plain, billOn: null, ...days });
  const [march, april] = ['2027-03-15', '2027-04-15'] as const;
  const changes = { changeOn: march, transitionOn: march };
  t.deepEqual(own({ ...changes, billOn: march }), [
    { what: 'changes', on: march },
    { what: 'bills', on: march },
  ]);
  t.deepEqual(own({ transitionOn: march, billOn: march }), [
    { what: 'bills', on: march },
    { what: 'renews', on: march },
  ]);
  t.deepEqual(own({ transitionOn: march, billOn: april, isAutoRenew: false }), [
    { what: 'completes', on: march },
    { what: 'bills', on: april },
  ]);
  // A change waits while its order is suspended: it is no step then.
  t.deepEqual(own({ changeOn: march }), []);
  t.deepEqual(own({ status: 'Provisioning', transitionOn: march }), [
    { what: 'activates', on: march },
  ]);
});
