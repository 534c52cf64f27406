/**
 * A slow reference implementation of what orders bill: it checks every single day with the
 * platform's own calendar, and shares no code with the rules that it verifies.
 */
import type { BillableOrder } from '../../domain/billing/order-to-rate.ts';
import type { BillingPeriod, IsoDate, Schedule } from '../../domain/calendar/calendar.ts';
import type { BillableLine } from '../../domain/standing/line.ts';

/** A charge in the form that is compared: `line periodIndex from to amount due`. */
export type SlowCharge = string;

const monthsOf: Record<BillingPeriod, number> = {
  Daily: 0,
  Weekly: 0,
  Monthly: 1,
  Quarterly: 3,
  SemiAnnual: 6,
  Yearly: 12,
};

const HORIZON_DAYS = 460;
const everyDay: readonly IsoDate[] = Array.from({ length: HORIZON_DAYS }, (_, index) =>
  Temporal.PlainDate.from('2026-10-01').add({ days: index }).toString(),
);

/** The days of each period, by its number; built once for a schedule. */
export type Periods = ReadonlyMap<number, readonly IsoDate[]>;

export function periodsOf(schedule: Schedule): Periods {
  const starts = new Map<IsoDate, number>();
  for (let periodIndex = -100; periodIndex <= HORIZON_DAYS; periodIndex += 1)
    starts.set(startOf(schedule, periodIndex), periodIndex);
  const periods = new Map<number, IsoDate[]>();
  let current: IsoDate[] | null = null;
  for (const day of everyDay) {
    const periodIndex = starts.get(day);
    if (periodIndex !== undefined) periods.set(periodIndex, (current = []));
    current?.push(day);
  }
  return periods;
}

function startOf({ billingPeriod, anchor, alignmentDay }: Schedule, periodIndex: number): IsoDate {
  const date = Temporal.PlainDate.from(anchor);
  const months = monthsOf[billingPeriod] * periodIndex;
  if (alignmentDay !== null) {
    return date.with({ day: 1 }).add({ months }).with({ day: alignmentDay }).toString();
  }
  const days =
    billingPeriod === 'Daily' ? periodIndex : billingPeriod === 'Weekly' ? 7 * periodIndex : 0;
  return date.add({ months, days }).toString();
}

/** The last day of service, as far as it is known. */
export function lastDayOf(order: BillableOrder): IsoDate {
  if (order.status === 'Canceled') return order.endedOn ?? '';
  if (order.status !== 'Complete' && order.isAutoRenew) return '9999';
  return order.endDate ?? '9999';
}

export function isServed(order: BillableOrder, line: BillableLine, day: IsoDate): boolean {
  return isCovered(order, line, day) && !isPaused(order, day);
}

/** Whether a day is one of the order's and one of the line's own. */
export function isCovered(order: BillableOrder, line: BillableLine, day: IsoDate): boolean {
  if (day < order.startDate || day > lastDayOf(order)) return false;
  return day >= (line.startsOn ?? day) && day <= (line.endsOn ?? day);
}

function isPaused(order: BillableOrder, day: IsoDate): boolean {
  return order.pauses.some(
    (b) => b.suspendedOn < day && (b.resumedOn === null || day < b.resumedOn),
  );
}

export function slowlyDue(order: BillableOrder, periods: Periods, today: IsoDate): SlowCharge[] {
  if (order.customerSuspended) return [];
  const hasEnded = order.status === 'Complete' || lastDayOf(order) < today;
  const isPausedNow = order.pauses.some((b) => b.resumedOn === null);
  const arrearsOnly = order.status === 'Canceled' || isPausedNow;
  if (isPausedNow && order.status !== 'Canceled' && !hasEnded) return [];
  return order.lines
    .filter((line) => !arrearsOnly || isArrears(line))
    .flatMap((line) => slowlyDueOfLine(line, order, periods))
    .filter(({ dueOn }) => dueOn <= today)
    .map(({ charge, dueOn }) => `${charge} on ${dueOn}`);
}

function isArrears({ charge }: BillableLine): boolean {
  return charge.chargeType === 'RecurringCharge' && !charge.isPrepaid;
}

function slowlyDueOfLine(line: BillableLine, order: BillableOrder, periods: Periods) {
  const price = Number(line.charge.tiers[0]?.price);
  if (line.charge.chargeType === 'OneTimeCharge') {
    const start = everyDay.find((day) => isCovered(order, line, day));
    if (start === undefined) return [];
    const dueOn = nextServed(order, start) ?? start;
    return line.nextPeriodIndex > 0
      ? []
      : [{ charge: `${line.id}: 0 ${start} ${start} ${price}`, dueOn }];
  }
  return [...periods].flatMap(([periodIndex, days]) => {
    if (periodIndex < line.nextPeriodIndex) return [];
    const billed = line.billed.filter((b) => b.periodIndex === periodIndex);
    const isBilled = (day: IsoDate) => billed.some((b) => b.from <= day && day <= b.to);
    const covered = days.filter((day) => isCovered(order, line, day));
    const last = covered.at(-1);
    if (last === undefined || (billed.length > 0 && !line.charge.isProrated)) return [];
    // A part costs what all days so far cost, less what was billed for those before it.
    let daysSoFar = 0;
    let centsSoFar = 0;
    for (const { cost } of billed) {
      daysSoFar += cost?.days ?? 0;
      for (const part of cost?.parts ?? []) centsSoFar += Math.round(Number(part.amount) * 100);
    }
    return runsBetween(covered, isBilled).flatMap((run) => {
      const served = run.filter((day) => isServed(order, line, day));
      const [from] = served;
      const to = served.at(-1);
      if (from === undefined || to === undefined) return [];
      daysSoFar += served.length;
      const share = line.charge.isProrated ? daysSoFar / days.length : 1;
      const afterLast = nextServed(order, dayAfter(last)) ?? dayAfter(lastDayOf(order));
      // Amounts are not close to half a cent: a million times days / days of a period.
      const cents = Math.round(price * share * 100);
      const amount = (cents - centsSoFar) / 100;
      centsSoFar = cents;
      return [
        {
          charge: `${line.id}: ${periodIndex} ${from} ${to} ${amount}`,
          dueOn: isArrears(line) ? afterLast : from,
        },
      ];
    });
  });
}

/** The runs of days without a billed day between them. */
function runsBetween(days: readonly IsoDate[], isBilled: (day: IsoDate) => boolean): IsoDate[][] {
  const runs: IsoDate[][] = [[]];
  for (const day of days) {
    if (isBilled(day)) runs.push([]);
    else runs.at(-1)?.push(day);
  }
  return runs;
}

function nextServed(order: BillableOrder, from: IsoDate): IsoDate | null {
  return everyDay.find((day) => day >= from && !isPaused(order, day)) ?? null;
}

function dayAfter(day: IsoDate): IsoDate {
  return everyDay.find((later) => later > day) ?? '9999';
}
