/** Orders over some months: created, suspended, resumed, ended, and billed on chosen days. */
import { applyDue, dueOf } from '../../domain/billing/due/due.ts';
import { type IsoDate, addDays, firstIndex, scheduleOf } from '../../domain/calendar/calendar.ts';
import type { DueCharge } from '../../domain/billing/due/due-charges.ts';
import type { BillableOrder } from '../../domain/billing/order-to-rate.ts';
import type { ServicePause } from '../../domain/standing/line.ts';
import { statusOn } from '../../domain/standing/status.ts';
import { amountOf } from '../domain/billing/billed.ts';
import { chargeWith, lineWith, orderWith, tiersOf } from '../domain/fixtures.ts';
import { fc } from '../support/random.ts';

export const eventKinds = [
  'suspend',
  'resume',
  'cancel',
  'suspendCustomer',
  'resumeCustomer',
  'setEnd',
  'setRenewal',
  'endLines',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** A change on a day, after its billing run. */
export interface Event {
  readonly onDay: number;
  readonly kind: EventKind;
  /** For setEnd and endLines: how many days after that day; odd numbers renew. */
  readonly days: number;
}

/** The days of a timeline are counted from the first day on which the order exists. */
export interface Timeline {
  readonly order: BillableOrder;
  readonly firstDay: IsoDate;
  readonly events: readonly Event[];
}

export const TIMELINE_DAYS = 130;
/** High prices, so that an amount shows for how many days it is. */
export const PRICE_PER_PERIOD = 1_000_000;

const lines = [
  { isPrepaid: true, isProrated: true },
  { isPrepaid: true, isProrated: false },
  { isPrepaid: false, isProrated: true },
  { isPrepaid: false, isProrated: false },
  { chargeType: 'OneTimeCharge' },
] as const;

const schedules = fc.oneof(
  fc.record({
    billingPeriod: fc.constantFrom('Weekly', 'Monthly', 'Quarterly'),
    billingAlignment: fc.constant('StartDate'),
    alignmentDay: fc.constant(null),
  }),
  fc.record({
    billingPeriod: fc.constantFrom('Monthly', 'Quarterly'),
    billingAlignment: fc.constant('DayOfMonth'),
    alignmentDay: fc.constantFrom(1, 15, 29, 31),
  }),
);

const events = fc.array(
  fc.record({
    onDay: fc.integer({ min: 0, max: TIMELINE_DAYS - 10 }),
    kind: fc.constantFrom(...eventKinds),
    days: fc.integer({ min: 0, max: 90 }),
  }),
  { maxLength: 8 },
);

/** Days of each line, counted from the order's start; the first may lie before it. */
const lineDays = fc.oneof(
  fc.constant([]),
  fc.array(
    fc.record({
      startsAfter: fc.option(fc.integer({ min: -5, max: 100 }), { freq: 1 }),
      moreDays: fc.option(fc.integer({ min: 0, max: 90 }), { freq: 1 }),
    }),
    { minLength: lines.length, maxLength: lines.length },
  ),
);

interface LineDays {
  readonly startsAfter: number | null;
  readonly moreDays: number | null;
}

function daysOf(startDate: IsoDate, days: LineDays | undefined) {
  const { startsAfter = null, moreDays = null } = days ?? {};
  const first = addDays(startDate, startsAfter ?? 0);
  return {
    startsOn: startsAfter === null ? null : first,
    endsOn: moreDays === null ? null : addDays(first, moreDays),
  };
}

/** A timeline of an order with a line of every kind; backdated, current or in the future. */
export const timelines: fc.Arbitrary<Timeline> = fc
  .record({
    plan: schedules,
    startOffset: fc.integer({ min: 0, max: 90 }),
    madeAfterDays: fc.integer({ min: -3, max: 40 }),
    endAfterDays: fc.option(fc.integer({ min: 0, max: 100 })),
    isAutoRenew: fc.boolean(),
    lineDays,
    events,
  })
  .map(({ plan, startOffset, madeAfterDays, endAfterDays, isAutoRenew, ...life }) => {
    const startDate = addDays('2027-01-01', startOffset);
    const schedule = scheduleOf(plan, startDate);
    const order = orderWith({
      status: madeAfterDays < 0 ? 'Provisioning' : 'Active',
      schedule,
      startDate,
      endDate: endAfterDays === null ? null : addDays(startDate, endAfterDays),
      isAutoRenew,
      lines: lines.map((charge, index) =>
        lineWith({
          id: index + 1,
          ...daysOf(startDate, life.lineDays[index]),
          charge: chargeWith({
            ...charge,
            tiers: tiersOf([['0', null, String(PRICE_PER_PERIOD)]]),
          }),
          nextPeriodIndex: 'chargeType' in charge ? 0 : firstIndex(schedule, startDate),
        }),
      ),
    });
    return { order, firstDay: addDays(startDate, madeAfterDays), events: life.events };
  });

/** What one run billed, and the order before and after it. */
export interface Run {
  readonly today: IsoDate;
  readonly before: BillableOrder;
  readonly after: BillableOrder;
  readonly charges: readonly DueCharge[];
  readonly nextBillableDate: IsoDate | null;
  /** The order at the start of the next day, after the changes that followed the run. */
  readonly evening: BillableOrder;
}

/** An order with separate pauses of its own and of its customer. */
interface Life {
  readonly order: BillableOrder;
  readonly own: readonly ServicePause[];
  readonly customers: readonly ServicePause[];
}

/** Simulates the days, with a billing run at the start of those that `runsOn` chooses. */
export function live(timeline: Timeline, runsOn: (day: number) => boolean): Run[] {
  const runs: Run[] = [];
  let life: Life = { order: timeline.order, own: [], customers: [] };
  for (let day = 0; day <= TIMELINE_DAYS; day += 1) {
    const today = addDays(timeline.firstDay, day);
    const before = { ...seen(life), ...standing(life.order, today) };
    const due = runsOn(day) ? dueOf(before, today) : null;
    const after = due === null ? before : applyDue(before, due);
    const happening = timeline.events.filter(({ onDay }) => onDay === day);
    life = happening.reduce((now, event) => changed(now, event, today), { ...life, order: after });
    if (due !== null) {
      const { charges, nextBillableDate } = due;
      runs.push({ today, before, after, evening: seen(life), charges, nextBillableDate });
    }
  }
  return runs;
}

/** A charge as one line of text, for comparisons. */
export function shownCharge(charge: DueCharge): string {
  const { line, periodIndex, from, to, dueOn } = charge;
  return `${line.id}: ${periodIndex} ${from} ${to} ${amountOf(charge)} on ${dueOn}`;
}

function seen({ order, own, customers }: Life): BillableOrder {
  const pauses = [...own, ...customers];
  return {
    ...order,
    pauses,
    customerSuspended: customers.some((pause) => pause.resumedOn === null),
  };
}

function standing(order: BillableOrder, today: IsoDate) {
  const term = { termStart: order.startDate, termFirstEnd: order.endDate };
  return statusOn({ ...order, ...term }, today);
}

function changed(life: Life, event: Event, today: IsoDate): Life {
  const { order, own, customers } = life;
  const { status } = order;
  const isOpen = status === 'Active' || status === 'Suspended';
  switch (event.kind) {
    case 'suspend':
      if (status !== 'Active') return life;
      return { ...life, order: { ...order, status: 'Suspended' }, own: opened(own, today) };
    case 'resume':
      if (status !== 'Suspended') return life;
      return { ...life, order: { ...order, status: 'Active' }, own: closed(own, today) };
    case 'suspendCustomer':
      return { ...life, customers: opened(closed(customers, today), today) };
    case 'resumeCustomer':
      return { ...life, customers: closed(customers, today) };
    case 'cancel':
      return isOpen ? { ...life, order: { ...order, status: 'Canceled', endedOn: today } } : life;
    case 'setEnd':
      return isOpen ? { ...life, order: { ...order, endDate: addDays(today, event.days) } } : life;
    case 'endLines':
      return isOpen ? { ...life, order: withLinesUntil(order, addDays(today, event.days)) } : life;
    case 'setRenewal':
      return isOpen ? { ...life, order: { ...order, isAutoRenew: event.days % 2 === 1 } } : life;
  }
}

function withLinesUntil(order: BillableOrder, endsOn: IsoDate): BillableOrder {
  const lines = order.lines.map((line) =>
    line.startsOn !== null && line.startsOn > endsOn ? line : { ...line, endsOn },
  );
  return { ...order, lines };
}

function opened(pauses: readonly ServicePause[], today: IsoDate): ServicePause[] {
  return [...pauses, { suspendedOn: today, resumedOn: null }];
}

function closed(pauses: readonly ServicePause[], today: IsoDate): ServicePause[] {
  return pauses.map((pause) => (pause.resumedOn === null ? { ...pause, resumedOn: today } : pause));
}
