/** Properties of billing, for any changes of an order and any days of the runs. */
import assert from 'node:assert';
import test from 'ava';
import { dueOf } from '../../domain/billing/due/due.ts';
import { addDays, daysFromTo, periodAt } from '../../domain/calendar/calendar.ts';
import type { DueCharge } from '../../domain/billing/due/due-charges.ts';
import type { BillableOrder } from '../../domain/billing/order-to-rate.ts';
import type { BillableLine } from '../../domain/standing/line.ts';
import { amountOf } from '../domain/billing/billed.ts';
import { isCovered, isServed, lastDayOf, periodsOf, slowlyDue } from './slow-billing.ts';
import { PRICE_PER_PERIOD, TIMELINE_DAYS, live, shownCharge, timelines } from './timelines.ts';
import { fc, runs } from '../support/random.ts';

const PREPAID_PRORATED = 1;
const ARREARS_PRORATED = 3;
const everyDay = () => true;

test('a run bills exactly what a day-by-day check finds due', (t) => {
  let billed = 0;
  fc.assert(
    fc.property(timelines, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), (timeline, dice) => {
      const periods = periodsOf(timeline.order.schedule);
      // Some runs are skipped, so that later ones find more.
      const runs = live(timeline, () => (dice.next().value ?? 0) === 0);
      for (const { before, today, charges } of runs) {
        t.deepEqual(
          charges.map(shownCharge).toSorted(),
          slowlyDue(before, periods, today).toSorted(),
        );
        billed += charges.length;
      }
    }),
    { numRuns: runs(15, 270) },
  );
  t.true(billed > 30, `${billed} charges`);
});

test('billed days are never billed again', (t) => {
  fc.assert(
    fc.property(timelines, (timeline) => {
      for (const { after, today, nextBillableDate } of live(timeline, everyDay)) {
        const again = dueOf(after, today);
        t.is(again.charges.length, 0);
        t.is(again.nextPeriodIndex.size, 0);
        t.is(again.nextBillableDate, nextBillableDate);
      }
    }),
    { numRuns: runs(15, 270) },
  );
});

test('an order bills on its nextBillableDate, and on no day before it', (t) => {
  fc.assert(
    fc.property(timelines, (timeline) => {
      let expected: string | null = null;
      let isFirst = true;
      for (const { today, charges, evening } of live(timeline, everyDay)) {
        if (!isFirst) t.is(charges.length > 0, expected !== null && expected <= today, today);
        isFirst = false;
        // The next day's run bills what a change made due during the day.
        const outlook = dueOf(evening, today);
        expected = outlook.charges.length > 0 ? addDays(today, 1) : outlook.nextBillableDate;
      }
    }),
    { numRuns: runs(10, 180) },
  );
});

test('late runs bill the same charges as daily runs', (t) => {
  fc.assert(
    fc.property(timelines, fc.uniqueArray(fc.integer({ min: 0, max: 130 })), (timeline, days) => {
      // A change finds the order billed up to that day.
      const changes = timeline.events.map(({ onDay }) => onDay);
      const chosen = new Set([...days, ...changes, TIMELINE_DAYS]);
      const billed = (runsOn: (day: number) => boolean) =>
        live(timeline, runsOn)
          .flatMap(({ charges }) => charges.map(shownCharge))
          .toSorted();
      t.deepEqual(
        billed((day) => chosen.has(day)),
        billed(everyDay),
      );
    }),
    { numRuns: runs(15, 270) },
  );
});

/** The number of days of a prorated charge, from its amount alone. */
function daysPaid(order: BillableOrder, charge: DueCharge): number {
  const { start, end } = periodAt(order.schedule, charge.periodIndex);
  const amount = Number(amountOf(charge));
  return Math.round((amount * daysFromTo(start, end)) / PRICE_PER_PERIOD);
}

test('arrears bill every served day once, and no other day', (t) => {
  let daysCompared = 0;
  fc.assert(
    fc.property(timelines, (timeline) => {
      const runs = live(timeline, everyDay);
      const last = runs.at(-1);
      if (last === undefined || last.after.customerSuspended) return;
      const { after: order, today } = last;
      const isHeld = order.pauses.some((pause) => pause.resumedOn === null);
      if (isHeld && order.status !== 'Canceled' && lastDayOf(order) >= today) return;
      const charges = runs.flatMap((run) =>
        run.charges.filter(({ line }) => line.id === ARREARS_PRORATED),
      );
      const due = servedDaysDue(order, today);
      // A line that was extended after its last day has billed a part of its last period before.
      if (charges.some(({ periodIndex }) => !due.has(periodIndex))) return;
      const paid = charges.reduce((days, charge) => days + daysPaid(order, charge), 0);
      t.is(
        paid,
        [...due.values()].reduce((sum, days) => sum + days, 0),
      );
      daysCompared += paid;
    }),
    { numRuns: runs(15, 270) },
  );
  t.true(daysCompared > 100, `${daysCompared} days`);
});

function lineOf(order: BillableOrder, id: number): BillableLine {
  const line = order.lines.find((each) => each.id === id);
  assert(line, 'the order has a line of each kind');
  return line;
}

/** The served days of each period whose last covered day has passed. */
function servedDaysDue(order: BillableOrder, today: string): ReadonlyMap<number, number> {
  const line = lineOf(order, ARREARS_PRORATED);
  const due = new Map<number, number>();
  for (const [index, days] of periodsOf(order.schedule)) {
    const covered = days.filter((day) => isCovered(order, line, day));
    const lastCovered = covered.at(-1);
    if (lastCovered === undefined || lastCovered >= today) continue;
    due.set(index, covered.filter((day) => isServed(order, line, day)).length);
  }
  return due;
}

test('no day is billed twice, and no period for more than its days', (t) => {
  fc.assert(
    fc.property(timelines, (timeline) => {
      const runs = live(timeline, everyDay);
      for (const id of [PREPAID_PRORATED, ARREARS_PRORATED]) {
        const charges = runs.flatMap((run) => run.charges.filter(({ line }) => line.id === id));
        const byDay = charges.toSorted((a, b) => (a.from < b.from ? -1 : 1));
        for (const [index, charge] of byDay.entries()) {
          const next = byDay[index + 1];
          if (next !== undefined) t.true(charge.to < next.from);
          t.true(daysPaid(timeline.order, charge) <= daysFromTo(charge.from, charge.to));
        }
      }
    }),
    { numRuns: runs(10, 180) },
  );
});

test('every served day was prepaid by its evening', (t) => {
  let days = 0;
  fc.assert(
    fc.property(timelines, (timeline) => {
      const runs = live(timeline, everyDay);
      const prepaid = runs.flatMap(({ charges }) =>
        charges.filter(({ line }) => line.id === PREPAID_PRORATED),
      );
      for (const { before, today } of runs) {
        const { status, customerSuspended } = before;
        if (
          status !== 'Active' ||
          customerSuspended ||
          !isServed(before, lineOf(before, PREPAID_PRORATED), today)
        )
          continue;
        days += 1;
        t.true(
          prepaid.some(({ from, to, dueOn }) => from <= today && today <= to && dueOn <= today),
        );
      }
    }),
    { numRuns: runs(10, 180) },
  );
  t.true(days > 100, `${days} days`);
});

test('a charge without proration is billed once for a period', (t) => {
  fc.assert(
    fc.property(timelines, (timeline) => {
      const charges = live(timeline, everyDay).flatMap((run) => run.charges);
      const whole = charges.filter(({ line }) => !line.charge.isProrated || line.id === 5);
      const keys = whole.map(({ line, periodIndex }) => `${line.id} ${periodIndex}`);
      t.is(new Set(keys).size, keys.length);
    }),
    { numRuns: runs(15, 270) },
  );
});
