/**
 * Computes what is due of an order up to a day: the difference between what should have been billed
 * and what was. Hence billing twice bills once.
 */
import { type IsoDate, minDate } from '../../calendar/calendar.ts';
import type { BillableLine, BilledDays } from '../../standing/line.ts';
import type { BillableOrder } from '../order-to-rate.ts';
import { creditDueOn } from '../credit/unused.ts';
import { type DueCharge, type DueOrder, type DueUnit, isWindow } from './due-charges.ts';
import { isPercentage } from '../kinds.ts';
import { costOf, countRated } from '../rate/rate.ts';
import { countCharges } from '../rate/usage.ts';
import { type AnyWalk, type OrderWalk, isDueBy, viewOf, walkOrder, walksOf } from './walks.ts';

/**
 * What is due of an order up to and including a day, and when it bills next after that.
 * It never bills a day twice, and bills nothing while the order or its customer is suspended.
 *
 * @example // 29.95 a month, paid in advance, started 2027-01-15 and billed up to 2027-02-14
 *   dueOf(order, '2027-02-15') // one charge for 2027-02-15 to 2027-03-14, next on 2027-03-15
 */
export function dueOf(order: BillableOrder, today: IsoDate): DueOrder {
  const walk = walkOrder(order, today);
  const units: DueUnit[] = [];
  for (const line of walk.walks) {
    while (isDueBy(line, today)) units.push(line.take());
  }
  return dueSoFar(walk, units);
}

/** An order, and the day up to and including which it is billed. */
export interface OrderUpTo {
  readonly order: BillableOrder;
  readonly upTo: IsoDate;
  /** Usage is billed up to this day; by default up to the same. */
  readonly usageUpTo?: IsoDate;
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
    const units: DueUnit[] = [];
    return { walk, units, sources: sourcesOf(each, walk, units) };
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
  const dues = opened.map(({ walk, units }) => dueSoFar(walk, units));
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
  { order, upTo, usageUpTo = upTo, sharesAmounts = false }: OrderUpTo,
  { walks }: OrderWalk,
  units: DueUnit[],
): readonly DueSource[] {
  const lines = walks.map((walk): DueSource => {
    const last = 'next' in walk ? usageUpTo : upTo;
    return {
      dueOn: () => (isDueBy(walk, last) ? walk.dueOn() : null),
      ratedCount: ratedCountOf(walk, order.currency),
      take: () => units.push(walk.take()),
    };
  });
  // A percentage applies to charges that are due with it, so charges of one day share an invoice.
  const isShared = sharesAmounts || walks.some(({ line }) => isEverPercentage(line));
  return isShared ? [dayByDay(lines)] : lines;
}

function isEverPercentage({ charge, earlier = [] }: BillableLine): boolean {
  return isPercentage(charge) || earlier.some((before) => isPercentage(before.charge));
}

/** Of the next unit of a walk, without pricing it. */
export function ratedCountOf(walk: AnyWalk, currency: string): () => number {
  if ('next' in walk) return () => countCharges(walk.next());
  const count = countRated(walk.line, currency);
  return () => count;
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
 * The first day, past or future, on which the order bills something else than usage; null if there
 * is none. @example firstChargeOn(metered, today) // null for an order that bills usage only
 */
export function firstChargeOn(order: BillableOrder, today: IsoDate): IsoDate | null {
  const { walks, endsOn } = walkOrder(order, today);
  const others = walks.filter((walk) => !('next' in walk));
  return dueSoFar({ walks: others, endsOn }, []).nextBillableDate;
}

/**
 * The first charge of each line, prepaid or not, whenever it is due: what a quote prices. Nobody
 * knows the usage of lines that bill it.
 *
 * @example firstDueOf(gold) // the installation, and the fee of the first month
 */
export function firstDueOf(order: BillableOrder): readonly DueCharge[] {
  return walksOf(order, viewOf(order)).flatMap((walk) =>
    walk.dueOn() === null || 'next' in walk ? [] : [walk.take()],
  );
}

/**
 * The order after the due charges are stored as billed.
 *
 * @example dueOf(applyDue(order, dueOf(order, today)), today).charges // []
 */
export function applyDue(order: BillableOrder, due: DueOrder): BillableOrder {
  const lines = order.lines.map((line) => {
    const nextPeriodIndex = due.nextPeriodIndex.get(line.id) ?? line.nextPeriodIndex;
    const isOpen = ({ periodIndex }: Pick<BilledDays, 'periodIndex'>): boolean =>
      periodIndex >= nextPeriodIndex;
    const added = due.charges
      .filter((charge) => charge.line.id === line.id && isOpen(charge))
      .map((charge) => billedDays(charge, order.currency));
    return {
      ...line,
      nextPeriodIndex,
      billed: [...line.billed.filter(isOpen), ...added],
      // Windows are closed in the order of their periods.
      ...(line.windows && {
        windows: line.windows.filter(({ periodIndex }) => periodIndex >= nextPeriodIndex),
      }),
    };
  });
  return { ...order, lines };
}

/** The days of a due charge with what they cost, as they are read once they are stored. */
function billedDays(due: DueCharge, currency: string): BilledDays {
  const { line, periodIndex, from, to } = due;
  const days = { periodIndex, from, to };
  return line.charge.isProrated ? { ...days, cost: costOf(due, currency) } : days;
}

function dueSoFar({ walks, endsOn }: OrderWalk, units: readonly DueUnit[]): DueOrder {
  const nextPeriodIndex = new Map<number, number>();
  let nextBillableDate = endsOn;
  for (const walk of walks) {
    if (walk.nextPeriodIndex() !== walk.line.nextPeriodIndex)
      nextPeriodIndex.set(walk.line.id, walk.nextPeriodIndex());
    const dueOn = walk.dueOn();
    if (dueOn !== null) nextBillableDate = minDate(dueOn, nextBillableDate ?? dueOn);
  }
  return {
    charges: units.filter((unit): unit is DueCharge => !isWindow(unit)),
    windows: units.filter(isWindow),
    nextPeriodIndex,
    nextBillableDate,
  };
}

/* Merges several sources by day: the earliest day first, and within a day source by source. */

/** Whether to continue after taking from a source. */
type AfterTaking = 'continue' | 'stop';

/**
 * Takes from the sources in the order of their days until all are empty, or the callback returns
 * 'stop'. The day of a source never decreases.
 *
 * @example mergeByDay([daily, monthly], (source) => source.nextOn, (source) => source.take())
 */
export function mergeByDay<Source>(
  sources: readonly Source[],
  dayOf: (source: Source) => string | null,
  take: (source: Source) => AfterTaking,
): boolean {
  const heap = sources
    .flatMap((source, place): Place<Source>[] => {
      const day = dayOf(source);
      return day === null ? [] : [{ source, place, day }];
    })
    .toSorted(inTurn);
  for (let top = heap[0]; top !== undefined; top = heap[0]) {
    if (take(top.source) === 'stop') return true;
    const day = dayOf(top.source);
    if (day !== null) heap[0] = { ...top, day };
    else {
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) heap[0] = last;
    }
    sink(heap);
  }
  return false;
}

interface Place<Source> {
  readonly source: Source;
  readonly place: number;
  readonly day: string;
}

function inTurn(left: Place<unknown>, right: Place<unknown>): number {
  if (left.day !== right.day) return left.day < right.day ? -1 : 1;
  return left.place - right.place;
}

/** Sifts the top of a binary heap down. */
function sink<Source>(heap: Place<Source>[]): void {
  for (let at = 0; ;) {
    let first = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const [one, other] = [heap[child], heap[first]];
      if (one !== undefined && other !== undefined && inTurn(one, other) < 0) first = child;
    }
    if (first === at) return;
    const [parent, child] = [heap[at], heap[first]];
    if (parent === undefined || child === undefined) return;
    heap[at] = child;
    heap[first] = parent;
    at = first;
  }
}
