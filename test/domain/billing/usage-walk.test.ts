/** When usage windows are due, worked out by hand: examples for `docs/rules/usage.md`. */
import test from 'ava';
import {
  applyDue,
  dueOf,
  firstChargeOn,
  firstDueOf,
  firstDueOn,
  sliceOf,
} from '../../../domain/billing/due/due.ts';
import { orderWindow } from '../../../domain/billing/due/walks.ts';
import type { DueOrder } from '../../../domain/billing/due/due-charges.ts';
import type { BillableOrder } from '../../../domain/billing/order-to-rate.ts';
import type { BillableLine, LineWindow, UsageSums } from '../../../domain/standing/line.ts';
import { chargeWith, lineWith, orderWith } from '../fixtures.ts';

const minutes = chargeWith({ chargeType: 'UsageCharge', standardQuantity: '0' });
const lineOf = (changes: Partial<BillableLine> = {}) =>
  lineWith({ charge: minutes, quantity: '0', windows: [], ...changes });
const usage = (changes: Partial<BillableOrder> = {}, line: Partial<BillableLine> = {}) =>
  orderWith({ lines: [lineOf(line)], ...changes });

const some: UsageSums = {
  quantities: [{ unitPrice: null, quantity: '180' }],
  supplied: null,
  corrections: [],
};
const open = (periodIndex: number): LineWindow => ({ periodIndex, isClosed: false, sums: some });
const closed = (periodIndex: number): LineWindow => ({ periodIndex, isClosed: true, sums: null });

/** `0 2027-01-01..2027-01-31 due 2027-02-01` of each window; `+` if it has records. */
const shown = ({ windows }: Pick<DueOrder, 'windows'>): string[] =>
  windows.map(({ window: { periodIndex, from, to, dueOn }, sums }) => {
    const records = sums === null ? '' : ' +';
    return `${periodIndex} ${from}..${to} due ${dueOn}${records}`;
  });

test('a window is due the day after its period, with or without records', (t) => {
  const order = usage({}, { windows: [open(1)] });
  t.is(firstDueOn(order, '2027-01-15'), '2027-02-01');
  t.deepEqual(shown(dueOf(order, '2027-01-31')), []);
  t.deepEqual(shown(dueOf(order, '2027-03-01')), [
    '0 2027-01-01..2027-01-31 due 2027-02-01',
    '1 2027-02-01..2027-02-28 due 2027-03-01 +',
  ]);
});

test('days of grace move windows, and no other charge', (t) => {
  const fee = lineWith({ id: 2 });
  const order = usage({ usageGraceDays: 2, lines: [lineOf(), fee] });
  t.is(firstDueOn({ ...order, lines: [lineOf()] }, '2027-01-15'), '2027-02-03');
  const { charges, windows, nextBillableDate } = dueOf(order, '2027-02-01');
  t.deepEqual([charges.length, windows.length, nextBillableDate], [2, 0, '2027-02-03']);
  t.deepEqual(shown(dueOf(order, '2027-02-03')), ['0 2027-01-01..2027-01-31 due 2027-02-03']);
});

test('what is closed is not due again, and the pointer moves past it', (t) => {
  const due = dueOf(usage({}, { windows: [open(0)] }), '2027-02-01');
  t.deepEqual([...due.nextPeriodIndex], [[1, 1]]);
  const after = applyDue(usage({}, { windows: [open(0)] }), due);
  t.deepEqual(shown(dueOf(after, '2027-02-01')), []);
  t.is(firstDueOn(after, '2027-02-01'), '2027-03-01');
  // A rollback has moved the pointer back to January; February stays billed.
  const rolledBack = usage({}, { windows: [open(0), closed(1)] });
  const again = dueOf(rolledBack, '2027-03-01');
  t.deepEqual(shown(again), ['0 2027-01-01..2027-01-31 due 2027-02-01 +']);
  t.is(again.nextBillableDate, '2027-04-01');
});

test('the first window begins with the order, also in a stub', (t) => {
  const schedule = { billingPeriod: 'Monthly', anchor: '2027-02-01', alignmentDay: 1 } as const;
  const order = usage({ schedule, startDate: '2027-01-20' }, { nextPeriodIndex: -1 });
  t.deepEqual(shown(dueOf(order, '2027-02-01')), ['-1 2027-01-20..2027-01-31 due 2027-02-01']);
});

test('an early end makes its window due, and late records make later ones', (t) => {
  const canceled = { status: 'Canceled', endedOn: '2027-03-12', endDate: '2027-03-12' } as const;
  const order = usage(canceled, { nextPeriodIndex: 2 });
  t.is(firstDueOn(order, '2027-03-12'), '2027-03-13');
  t.is(firstDueOn({ ...order, usageGraceDays: 2 }, '2027-03-12'), '2027-03-15');
  t.deepEqual(shown(dueOf(order, '2027-03-13')), ['2 2027-03-01..2027-03-12 due 2027-03-13']);
  const billed = usage(canceled, { nextPeriodIndex: 3 });
  t.is(firstDueOn(billed, '2027-03-15'), null);
  const late = usage(canceled, { nextPeriodIndex: 3, windows: [open(3)] });
  t.deepEqual(shown(dueOf(late, '2027-03-16')), ['3 2027-03-01..2027-03-12 due 2027-03-13 +']);
  t.is(firstDueOn({ ...late, billsNothingMore: true }, '2027-03-15'), null);
});

test('of late records the open windows are due, once each', (t) => {
  const canceled = { status: 'Canceled', endedOn: '2027-03-12', endDate: '2027-03-12' } as const;
  // February is billed, and March, the last one; a rollback has opened the fourth again.
  const windows = [closed(1), closed(2), closed(3), open(4), closed(5), open(6)];
  const due = dueOf(usage(canceled, { nextPeriodIndex: 0, windows }), '2027-04-01');
  t.deepEqual(shown(due), [
    '0 2027-01-01..2027-01-31 due 2027-02-01',
    '4 2027-03-01..2027-03-12 due 2027-03-13 +',
    '6 2027-03-01..2027-03-12 due 2027-03-13 +',
  ]);
  // The last period is not billed yet, and neither are late windows before the pointer.
  t.deepEqual(
    shown(dueOf(usage(canceled, { nextPeriodIndex: 2, windows: [open(2)] }), '2027-04-01')),
    ['2 2027-03-01..2027-03-12 due 2027-03-13 +'],
  );
  t.deepEqual(
    shown(
      dueOf(usage(canceled, { nextPeriodIndex: 5, windows: [open(4), open(6)] }), '2027-04-01'),
    ),
    ['6 2027-03-01..2027-03-12 due 2027-03-13 +'],
  );
});

test('a line of one day has one window, and one without a day has none', (t) => {
  const lasting = (endedOn: string) => usage({ status: 'Canceled', endedOn, endDate: endedOn });
  t.deepEqual(shown(dueOf(lasting('2027-01-01'), '2027-04-01')), [
    '0 2027-01-01..2027-01-01 due 2027-01-02',
  ]);
  t.deepEqual(shown(dueOf(lasting('2026-12-31'), '2027-04-01')), []);
  const [line] = usage().lines;
  if (line === undefined) return t.fail();
  t.is(orderWindow(lasting('2026-12-31'), line, 0), null);
  t.is(orderWindow(usage(), line, 0)?.dueOn, '2027-02-01');
});

test('windows that are billed are no longer of the order', (t) => {
  const order = usage({}, { windows: [open(0), open(1), closed(2)] });
  const after = applyDue(order, dueOf(order, '2027-02-01'));
  t.deepEqual(after.lines[0]?.windows, [open(1), closed(2)]);
  t.false('windows' in (applyDue(orderWith(), dueOf(orderWith(), '2027-01-01')).lines[0] ?? {}));
});

test('usage is billed up to a day of its own', (t) => {
  const order = usage({ lines: [lineOf(), lineWith({ id: 2 })] });
  const upTo = (day: string, usageUpTo: string) => {
    const { dues } = sliceOf([{ order, upTo: day, usageUpTo }], 100);
    return dues.map(({ charges, windows }) => `${charges.length} ${windows.length}`);
  };
  t.deepEqual(upTo('2027-03-01', '2027-02-01'), ['3 1']);
  t.deepEqual(upTo('2027-02-01', '2027-03-01'), ['2 2']);
});

test('the first day of charges, and a quote, know no usage', (t) => {
  const metered = usage({ lines: [lineOf(), lineWith({ id: 2, nextPeriodIndex: 2 })] });
  t.is(firstChargeOn(metered, '2027-01-15'), '2027-03-01');
  t.is(firstChargeOn(usage(), '2027-01-15'), null);
  const once = lineWith({
    id: 3,
    nextPeriodIndex: 1,
    charge: chargeWith({ chargeType: 'OneTimeCharge' }),
  });
  const order = usage({ lines: [lineOf(), lineWith({ id: 2 }), once] });
  t.deepEqual(
    firstDueOf(order).map(({ line, from }) => `${line.id} ${from}`),
    ['2 2027-01-01'],
  );
});

test('nothing is billed in a pause; on resumption the windows that elapsed are due', (t) => {
  const paused = { status: 'Suspended', pauses: [{ suspendedOn: '2027-01-10', resumedOn: null }] };
  const order = usage({ ...paused, status: 'Suspended' });
  t.is(firstDueOn(order, '2027-03-20'), null);
  const pauses = [{ suspendedOn: '2027-01-10', resumedOn: '2027-03-20' }];
  const resumed = usage({ pauses });
  t.deepEqual(shown(dueOf(resumed, '2027-03-20')), [
    '0 2027-01-01..2027-01-31 due 2027-03-20',
    '1 2027-02-01..2027-02-28 due 2027-03-20',
  ]);
  t.is(firstDueOn(usage({ customerSuspended: true }), '2027-03-20'), null);
});

test('a pause without an end ends with the order: its end makes all windows due', (t) => {
  const pauses = [{ suspendedOn: '2027-01-10', resumedOn: null }];
  const until = { endDate: '2027-03-12', isAutoRenew: false, pauses };
  t.is(firstDueOn(usage({ ...until, status: 'Suspended' }), '2027-02-20'), '2027-03-13');
  const graced = usage({ ...until, status: 'Suspended', usageGraceDays: 3 });
  t.is(firstDueOn(graced, '2027-02-20'), '2027-03-13');
  const ended = usage({ ...until, status: 'Complete', usageGraceDays: 3 });
  t.deepEqual(shown(dueOf(ended, '2027-03-16')), [
    '0 2027-01-01..2027-01-31 due 2027-03-13',
    '1 2027-02-01..2027-02-28 due 2027-03-13',
    '2 2027-03-01..2027-03-12 due 2027-03-16',
  ]);
});

test('what a pause delays past the end of the order is due on resumption, the last window on time', (t) => {
  const pauses = [{ suspendedOn: '2027-01-20', resumedOn: '2027-03-01' }];
  const order = usage({ endDate: '2027-02-01', isAutoRenew: false, status: 'Complete', pauses });
  t.deepEqual(shown(dueOf(order, '2027-03-01')), [
    '0 2027-01-01..2027-01-31 due 2027-03-01',
    '1 2027-02-01..2027-02-01 due 2027-02-02',
  ]);
});

test('a line’s own days cut its windows', (t) => {
  const order = usage({}, { startsOn: '2027-01-10', endsOn: '2027-02-14' });
  const due = dueOf(order, '2027-04-01');
  t.deepEqual(shown(due), [
    '0 2027-01-10..2027-01-31 due 2027-02-01',
    '1 2027-02-01..2027-02-14 due 2027-02-15',
  ]);
  t.is(due.nextBillableDate, null);
  t.is(firstDueOn(usage({}, { isActive: false }), '2027-03-20'), null);
});

test('a window is one unit of a slice, with as many charges as its records make', (t) => {
  const windows = [open(0), open(1), open(2)];
  const order = usage({}, { windows });
  // One charge and one subtotal for each window.
  const slice = sliceOf([{ order, upTo: '2027-04-01' }], 5);
  t.deepEqual([slice.ratedCount, slice.hasMore], [4, true]);
  t.deepEqual(slice.dues.flatMap(shown), [
    '0 2027-01-01..2027-01-31 due 2027-02-01 +',
    '1 2027-02-01..2027-02-28 due 2027-03-01 +',
  ]);
});
