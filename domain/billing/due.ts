/**
 * Computes what is due of an order up to a day: the difference between what should have been billed
 * and what was. Hence billing twice bills once.
 */
import { addDays, minDate } from '../calendar/calendar.ts';
import { creditDueOn } from './credit.ts';
import { isDueBySchedule, isPercentage } from './kinds.ts';
import { isPenaltyDue, walkPenalty } from './penalties.ts';
import { countRated } from './rate.ts';
import { viewOfLine, walkOnce, walkPeriods } from './periods.ts';
import type { BillingView, LineWalk } from './periods.ts';
import { mergeByDay } from './merge.ts';
import type { BillableOrder, DueCharge, DueOrder, IsoDate } from '../model.ts';
import { unservedDays } from './served-days.ts';

/** The lines of an order that may bill something, and when its end makes something due. */
export interface OrderWalk {
  readonly walks: readonly LineWalk[];
  readonly endsOn: IsoDate | null;
}

/**
 * What is due of an order up to and including a day, and when it bills next after that.
 * It never bills a day twice, and bills nothing while the order or its customer is suspended.
 *
 * @example // 29.95 a month, paid in advance, started 2027-01-15 and billed up to 2027-02-14
 *   dueOf(order, '2027-02-15') // one charge for 2027-02-15 to 2027-03-14, next on 2027-03-15
 */
export function dueOf(order: BillableOrder, today: IsoDate): DueOrder {
  const walk = walkOrder(order, today);
  const charges: DueCharge[] = [];
  for (const line of walk.walks) {
    while (isDueBy(line, today)) charges.push(line.take());
  }
  return dueSoFar(walk, charges);
}

/** An order, and the day up to and including which it is billed. */
export interface OrderUpTo {
  readonly order: BillableOrder;
  readonly upTo: IsoDate;
  /** Charges that are due on one day share an amount, as of a coupon: they are billed together. */
  readonly sharesAmounts?: boolean;
}

/** What one transaction bills of some orders. */
export interface DueSlice {
  /** One for each order, in the order of the orders. */
  readonly dues: readonly DueOrder[];
  readonly ratedCount: number;
  /** More is due than the slice contains. */
  readonly hasMore: boolean;
}

/**
 * What is due of some orders together, the oldest first, up to a number of rated charges; it always
 * includes the first due charge, if there is one. The rest stays due.
 *
 * @example // 12,000 charges are due
 *   sliceOf(orders, 5_000) // the 5,000 that were due first, and nextBillableDate is in the past
 */
export function sliceOf(orders: readonly OrderUpTo[], ratedMax: number): DueSlice {
  const opened = orders.map((each) => {
    const walk = walkOrder(each.order, each.upTo);
    const charges: DueCharge[] = [];
    return { walk, charges, sources: sourcesOf(each, walk, charges) };
  });
  let ratedCount = 0;
  const hasMore = mergeByDay(
    opened.flatMap(({ sources }) => sources),
    (source) => source.dueOn(),
    (source) => {
      const more = ratedCount + source.ratedCount();
      if (more > ratedMax && ratedCount > 0) return 'stop';
      ratedCount = more;
      source.take();
      return 'continue';
    },
  );
  const dues = opened.map(({ walk, charges }) => dueSoFar(walk, charges));
  return { dues, ratedCount, hasMore };
}

/** A unit that is billed whole or not at all: a charge, or charges that depend on each other. */
interface DueSource {
  /** Null when nothing more is due. */
  readonly dueOn: () => IsoDate | null;
  /** The number of rated charges of the next unit. */
  readonly ratedCount: () => number;
  readonly take: () => void;
}

function sourcesOf(
  { order, upTo, sharesAmounts = false }: OrderUpTo,
  { walks }: OrderWalk,
  charges: DueCharge[],
): readonly DueSource[] {
  const lines = walks.map((walk): DueSource => {
    const rated = countRated(walk.line, order.currency);
    return {
      dueOn: () => (isDueBy(walk, upTo) ? walk.dueOn() : null),
      ratedCount: () => rated,
      take: () => charges.push(walk.take()),
    };
  });
  // A percentage applies to charges that are due with it, so charges of one day share an invoice.
  const isShared = sharesAmounts || walks.some(({ line }) => isPercentage(line.charge));
  return isShared ? [dayByDay(lines)] : lines;
}

/** The charges of some lines that are due on one day, as one. */
function dayByDay(lines: readonly DueSource[]): DueSource {
  const firstDay = (): IsoDate | null => {
    let first: IsoDate | null = null;
    for (const line of lines) {
      const dueOn = line.dueOn();
      if (dueOn !== null && (first === null || dueOn < first)) first = dueOn;
    }
    return first;
  };
  let day = firstDay();
  return {
    dueOn: () => day,
    ratedCount: () =>
      lines.reduce((sum, line) => (line.dueOn() === day ? sum + line.ratedCount() : sum), 0),
    take() {
      for (const line of lines) while (line.dueOn() === day) line.take();
      day = firstDay();
    },
  };
}

/** The first day, past or future, on which the order bills something; null if there is none. */
export function firstDueOn(order: BillableOrder, today: IsoDate): IsoDate | null {
  const { nextBillableDate } = dueSoFar(walkOrder(order, today), []);
  const credit = creditDueOn(order);
  return credit === null ? nextBillableDate : minDate(credit, nextBillableDate ?? credit);
}

/**
 * The first charge of each line, prepaid or not, whenever it is due: what a quote prices.
 *
 * @example firstDueOf(gold) // the installation, and the fee of the first month
 */
export function firstDueOf(order: BillableOrder): readonly DueCharge[] {
  return walksOf(order, viewOf(order)).flatMap((walk) =>
    walk.dueOn() === null ? [] : [walk.take()],
  );
}

/** The lines of an order that may bill by a day. Rating starts when a charge is taken. */
export function walkOrder(order: BillableOrder, today: IsoDate): OrderWalk {
  const rests: OrderWalk = { walks: [], endsOn: null };
  if (order.status === 'Draft' || order.billsNothingMore || order.customerSuspended) return rests;
  const view = viewOf(order);
  const { end } = view.ofOrder;
  if (order.status === 'Superseded') {
    // Its days are paid like any others, also those that were not billed before the change.
    return end === null ? rests : { walks: walksOf(order, view), endsOn: null };
  }
  const isTerminated = order.status === 'Canceled';
  if (!isTerminated && !isPaused(order)) return { walks: walksOf(order, view), endsOn: null };
  if (end === null) return rests;
  const walks = walksOf(order, { ...view, scope: 'arrears' });
  if (isTerminated || end < today) return { walks, endsOn: null };
  // Nothing is due of a paused order, but its end makes earlier service in arrears due.
  const dueOn = addDays(end, 1);
  return { walks: [], endsOn: walks.some((line) => isDueBy(line, dueOn)) ? dueOn : null };
}

export function isDueBy(line: LineWalk, day: IsoDate): boolean {
  const dueOn = line.dueOn();
  return dueOn !== null && dueOn <= day;
}

/**
 * The order after the due charges are stored as billed.
 *
 * @example dueOf(applyDue(order, dueOf(order, today)), today).charges // []
 */
export function applyDue(order: BillableOrder, due: DueOrder): BillableOrder {
  const lines = order.lines.map((line) => {
    const nextPeriodIndex = due.nextPeriodIndex.get(line.id) ?? line.nextPeriodIndex;
    const added = due.charges
      .filter((charge) => charge.line.id === line.id)
      .map(({ periodIndex, from, to }) => ({ periodIndex, from, to }));
    return {
      ...line,
      nextPeriodIndex,
      billed: [...line.billed, ...added].filter(
        ({ periodIndex }) => periodIndex >= nextPeriodIndex,
      ),
    };
  });
  return { ...order, lines };
}

/** The last day of service by the order's present dates; null if it continues. */
function serviceEnd(order: BillableOrder): IsoDate | null {
  switch (order.status) {
    case 'Canceled':
    case 'Superseded':
      return order.endedOn;
    default:
      return order.isAutoRenew ? null : order.endDate;
  }
}

/** An order that ended without being resumed is also paused. */
function isPaused(order: BillableOrder): boolean {
  return order.status === 'Suspended' || order.pauses.some(({ resumedOn }) => resumedOn === null);
}

function viewOf(order: BillableOrder): BillingView {
  const service = { start: order.startDate, end: serviceEnd(order) };
  return {
    scope: 'all',
    schedule: order.schedule,
    ofOrder: service,
    ofLine: service,
    unserved: unservedDays(order.pauses),
  };
}

function walksOf(order: BillableOrder, viewOfOrder: BillingView): LineWalk[] {
  return order.lines
    .filter((line) => line.isActive && (isDueBySchedule(line.charge) || isPenaltyDue(line)))
    .map((line) => {
      const view = viewOfLine(viewOfOrder, line);
      const { penaltySince } = line;
      if (penaltySince) return walkPenalty(line, penaltySince, view);
      const isOnce = line.charge.chargeType === 'OneTimeCharge';
      return isOnce ? walkOnce(line, view) : walkPeriods(line, view);
    });
}

function dueSoFar({ walks, endsOn }: OrderWalk, charges: readonly DueCharge[]): DueOrder {
  const nextPeriodIndex = new Map<number, number>();
  let nextBillableDate = endsOn;
  for (const walk of walks) {
    if (walk.nextPeriodIndex() !== walk.line.nextPeriodIndex)
      nextPeriodIndex.set(walk.line.id, walk.nextPeriodIndex());
    const dueOn = walk.dueOn();
    if (dueOn !== null) nextBillableDate = minDate(dueOn, nextBillableDate ?? dueOn);
  }
  return { charges, nextPeriodIndex, nextBillableDate };
}
