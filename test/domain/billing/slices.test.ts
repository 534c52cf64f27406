/** Slices of any size bill the same as billing at once, the oldest charges first. */
import test from 'ava';
import { applyDue, dueOf, sliceOf } from '../../../domain/billing/due/due.ts';
import { adjust } from '../../../domain/billing/rate/draft.ts';
import { rate } from '../../../domain/billing/rate/rate.ts';
import { type IsoDate, addDays } from '../../../domain/calendar/calendar.ts';
import type { DueCharge } from '../../../domain/billing/due/due-charges.ts';
import type { BillableOrder } from '../../../domain/billing/order-to-rate.ts';
import { arrears } from './billed.ts';
import { chargeWith, lineWith, orderWith, tiersOf } from '../fixtures.ts';
import { TIMELINE_DAYS, live, shownCharge, timelines } from '../../properties/timelines.ts';
import { fc } from '../../support/random.ts';
import { amountOf } from './rated.ts';

interface Sliced {
  readonly slices: readonly (readonly DueCharge[])[];
  readonly after: readonly BillableOrder[];
  readonly nextDates: readonly (IsoDate | null)[];
}

/**
 * Bills slice after slice until nothing is left; each continues from the rows of the previous one.
 */
function inSlices(orders: readonly BillableOrder[], today: IsoDate, ratedMax: number): Sliced {
  const slices: (readonly DueCharge[])[] = [];
  for (let open = orders; ;) {
    const { dues, hasMore } = sliceOf(
      open.map((order) => ({ order, upTo: today })),
      ratedMax,
    );
    open = open.map((order, index) => applyDue(order, dues[index] ?? dueOf(order, today)));
    const slice = dues.flatMap(({ charges }) => charges);
    if (slice.length > 0) slices.push(slice);
    if (!hasMore)
      return { slices, after: open, nextDates: dues.map((due) => due.nextBillableDate) };
  }
}

const ratedOf = (charges: readonly DueCharge[]) => rate(charges, 'USD').length;

const tiered = chargeWith({
  pricingType: 'TieredPricing',
  tiers: tiersOf([
    ['0', '10', '3.00'],
    ['10', '20', '2.00'],
    ['20', null, '1.00'],
  ]),
});

test('slices of any size bill what billing at once bills, and leave the same state', (t) => {
  let split = 0;
  fc.assert(
    fc.property(
      fc.array(timelines, { minLength: 1, maxLength: 3 }),
      fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 })),
      fc.nat({ max: TIMELINE_DAYS }),
      fc.nat({ max: 60 }),
      (lives, ratedMax, lastRun, later) => {
        // The orders have lived through random days, so they include pauses, ends and segments of
        // periods.
        const orders = lives.flatMap((timeline, index) => {
          const run = live(timeline, (day) => day <= lastRun).at(-1);
          return run === undefined ? [] : [{ ...run.evening, id: index + 1 }];
        });
        const days = lives.map(({ firstDay }) => addDays(firstDay, lastRun + later));
        const today = days.reduce((last, day) => (day > last ? day : last), '');
        const atOnce = orders.map((order) => dueOf(order, today));
        const { slices, after, nextDates } = inSlices(orders, today, ratedMax);
        const expected = atOnce.flatMap(({ charges }) => charges.map(shownCharge));
        t.deepEqual(slices.flat().map(shownCharge).toSorted(), expected.toSorted());
        if (slices.length > 1) split += 1;
        t.deepEqual(
          nextDates,
          atOnce.map((due) => due.nextBillableDate),
        );
        for (const order of after) t.is(dueOf(order, today).charges.length, 0);
        for (const slice of slices) t.true(slice.length === 1 || ratedOf(slice) <= ratedMax);
      },
    ),
    { numRuns: 60 },
  );
  t.true(split > 3, `${split} of 60 took several slices`);
});

test('the oldest charges of all orders come first, and a slice is as full as possible', (t) => {
  const monthly = orderWith({ lines: [lineWith(), { ...arrears(), id: 2 }] });
  const weekly = orderWith({
    id: 8,
    startDate: '2027-01-20',
    schedule: { billingPeriod: 'Weekly', anchor: '2027-01-20', alignmentDay: null },
    lines: [lineWith({ id: 3 })],
  });
  const { slices } = inSlices([monthly, weekly], '2027-02-10', 3);
  t.deepEqual(
    slices.map((slice) =>
      slice
        .toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : 1))
        .map(({ line, from, dueOn }) => `${line.id}: from ${from}, due ${dueOn}`),
    ),
    [
      [
        '1: from 2027-01-01, due 2027-01-01',
        '3: from 2027-01-20, due 2027-01-20',
        '3: from 2027-01-27, due 2027-01-27',
      ],
      [
        '1: from 2027-02-01, due 2027-02-01',
        '2: from 2027-01-01, due 2027-02-01',
        '3: from 2027-02-03, due 2027-02-03',
      ],
      ['3: from 2027-02-10, due 2027-02-10'],
    ],
  );
});

test('the tiers of a charge stay together; a charge that is larger than a slice is billed alone', (t) => {
  const order = orderWith({ lines: [lineWith({ charge: tiered, quantity: '25' })] });
  const counts = (ratedMax: number) =>
    inSlices([order], '2027-05-01', ratedMax).slices.map((slice) => ratedOf(slice));
  // Five months of three tiers each.
  t.deepEqual(counts(7), [6, 6, 3]);
  t.deepEqual(counts(2), [3, 3, 3, 3, 3]);
});

test('nothing is rated beyond the slice, however much is due', (t) => {
  // 500 lines by the day since 1945 would be 14.9 million charges.
  const schedule = { billingPeriod: 'Daily', anchor: '1945-01-01', alignmentDay: null } as const;
  const lines = Array.from({ length: 500 }, (_, index) => lineWith({ id: index + 1 }));
  const order = orderWith({ schedule, startDate: '1945-01-01', lines });
  const { dues, ratedCount, hasMore } = sliceOf([{ order, upTo: '2027-01-01' }], 5_000);
  const [due] = dues;
  t.is(ratedCount, 5_000);
  t.true(hasMore);
  t.is(due?.charges.length, 5_000);
  t.is(due?.charges.at(-1)?.dueOn, '1945-01-10');
  t.is(due?.nextBillableDate, '1945-01-11');
  t.deepEqual([...new Set(due?.nextPeriodIndex.values())], [10]);
});

test('what is due on one day of an order with a percentage is one part of a slice', (t) => {
  const percentage = chargeWith({ tiers: tiersOf([['0', null, null]]) });
  // The first line begins after the others.
  const lines = [
    { ...lineWith({ startsOn: '2027-01-20' }), charge: chargeWith({ tiers: tiered.tiers }) },
    lineWith({ id: 2, charge: percentage }),
    lineWith({ id: 3, startsOn: '2027-01-10' }),
    lineWith({ id: 4, startsOn: '2027-01-10' }),
  ];
  const counts = (sharesAmounts: boolean, of: BillableOrder) =>
    [1, 2, 3, 4].map((ratedMax) => {
      const slice = sliceOf([{ order: of, upTo: '2027-01-25', sharesAmounts }], ratedMax);
      const days = slice.dues.flatMap(({ charges }) => charges.map(({ dueOn }) => dueOn));
      return `${slice.ratedCount} ${days.map((day) => day.slice(-2)).join(' ')}`;
    });
  const byDay = ['1 01', '1 01', '3 01 10 10', '4 01 10 10 20'];
  t.deepEqual(counts(false, orderWith({ lines })), byDay);
  // So is what shares the amount of a coupon.
  const fees = lines.map((line) => ({ ...line, charge: chargeWith() }));
  t.deepEqual(counts(true, orderWith({ lines: fees })), byDay);
  t.deepEqual(counts(false, orderWith({ lines: fees })), [
    '1 01',
    '2 01 10',
    '3 01 10 10',
    '4 01 10 10 20',
  ]);
});

test('a percentage stays in the slice of its base, so slices cost the same as one invoice', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 9 }),
      (ratedMax, fees) => {
        const percentage = chargeWith({ tiers: tiersOf([['0', null, null]]) });
        const lines = [
          lineWith({ id: 50, charge: percentage }),
          ...Array.from({ length: fees }, (_, index) => lineWith({ id: index + 1 })),
        ];
        const { slices } = inSlices([orderWith({ lines })], '2027-06-15', ratedMax);
        let percentages = 0;
        for (const slice of slices) {
          for (const charge of adjust(rate(slice, 'USD'), 'USD')) {
            // 10 percent of 31.00 for each fee of the month.
            if (charge.kind !== 'percent') continue;
            t.is(amountOf(charge), (3.1 * fees).toFixed(2), charge.due.dueOn);
            percentages += 1;
          }
        }
        t.is(percentages, 6);
        t.is(slices.flat().length, 6 * (fees + 1));
      },
    ),
  );
});
