/** Decides when a running order takes the prices of its plan's newest version, and what it is from then on. */
import assert from 'node:assert';
import {
  type IsoDate,
  type Schedule,
  addDays,
  firstIndex,
  maxDate,
  periodAt,
  periodIndexOf,
} from '../../calendar/calendar.ts';
import { termOn } from '../../calendar/terms.ts';
import { compare } from '../../money/money.ts';
import type { Charge, Plan } from '../../plans/plan.ts';
import {
  chargesByCode,
  isAlike,
  noTierText,
  whyChargesDiffer,
  whyPlansDiffer,
} from '../../plans/price-moves.ts';
import type { BillableLine } from '../../standing/line.ts';
import { billsFrom as beginsOn, type TrialDays } from '../../standing/trial.ts';
import type { BillableOrder, OrderToRate } from '../order-to-rate.ts';
import { highestPricedQuantity } from '../rate/pricing.ts';

type Plans = ReadonlyMap<number, Plan>;

/**
 * The first day at the prices of the newest version: that of the first unbilled period, or term, that
 * begins on the day from which the version's orders move, or later. Null if the order keeps its prices,
 * as one that ends, or is replaced, before. Once the day has come it stays until the order has moved.
 *
 * @example // 31.00 a month from 2027-01-15, moves from 2027-01-31 on
 *   newPricesOn(gold, billable, plans) // '2027-02-15'
 */
export function newPricesOn(row: OrderToRate, order: BillableOrder, plans: Plans): IsoDate | null {
  const { move } = row;
  if (!move || order.status === 'Draft' || order.billsNothingMore) return null;
  const byTerm = move.by === 'nextTerm' && order.endDate !== null;
  const first = byTerm ? termFrom(row, order, move.from) : periodFrom(order, move.from);
  if (first === null || (order.changeOn !== null && order.changeOn <= first)) return null;
  if (!servesOn(order, first)) return null;
  return whyItStays(row, order, plans) === null ? first : null;
}

/** One that has ended may have served days at the new prices, if no run has moved it by then. */
function servesOn({ status, endedOn, isAutoRenew, endDate }: BillableOrder, day: IsoDate): boolean {
  if (status === 'Canceled' || status === 'Superseded') return endedOn !== null && endedOn >= day;
  return isAutoRenew || endDate === null || endDate >= day;
}

function periodFrom(order: BillableOrder, from: IsoDate): IsoDate {
  const day = maxDate(from, beginsOn(order));
  const at = periodIndexOf(order.schedule, day);
  const first = beginning(order, at) < day ? at + 1 : at;
  return beginning(order, Math.max(first, lastBilled(order) + 1));
}

/** A term that begins within a period leaves that period as it is. */
function termFrom(row: OrderToRate, order: BillableOrder, from: IsoDate): IsoDate | null {
  const { termStart, termFirstEnd } = row;
  if (!order.isAutoRenew || termFirstEnd === null) return null;
  const start = beginsOn(order);
  const last = lastBilled(order);
  const isBilled = last >= firstIndex(order.schedule, start);
  const unbilled = isBilled ? addDays(beginning(order, last), 1) : start;
  const day = maxDate(maxDate(from, start), unbilled);
  const term = termOn({ termStart, termFirstEnd }, day);
  return term.start === day ? day : addDays(term.end, 1);
}

/** The first period of an order begins with its billing. */
function beginning({ schedule, ...days }: Begun, periodIndex: number): IsoDate {
  return maxDate(periodAt(schedule, periodIndex).start, beginsOn(days));
}

interface Begun extends TrialDays {
  readonly schedule: Schedule;
}

/** The last period of which a line has billed anything, or the one before the order's first. */
function lastBilled({ lines, schedule, ...days }: BillableOrder): number {
  const billed = lines.flatMap(({ charge, isActive, nextPeriodIndex, billed: days }) =>
    !isActive || charge.chargeType === 'OneTimeCharge'
      ? []
      : [nextPeriodIndex - 1, ...days.map(({ periodIndex }) => periodIndex)],
  );
  return Math.max(firstIndex(schedule, beginsOn(days)) - 1, ...billed);
}

/* What the order is from that day on. */

/**
 * The order from a day on: its plan is the newest version, and each line has the charge with its
 * priceCode. What begins before that day costs what it did.
 *
 * @example withNewPrices(gold, plans, '2027-02-15').planId // that of version 2
 */
export function withNewPrices(row: OrderToRate, plans: Plans, on: IsoDate): OrderToRate {
  const { move, planId } = row;
  assert(move, `order ${row.id} moves to no other version`);
  const charges = chargesOf(row, plans);
  const newest = chargesByCode(versionOf(plans, move.planId));
  return {
    ...row,
    planId: move.planId,
    move: null,
    earlier: [...(row.earlier ?? []), { planId, until: on }],
    lines: row.lines.map((line) => {
      const own = charges.get(line.chargeId);
      const next = own && newest.get(own.priceCode);
      return next && isAlike(own, next) ? { ...line, chargeId: next.id } : line;
    }),
  };
}

/** The versions that rating an order needs. @example planIdsOf(gold) // [17, 18] */
export function planIdsOf(
  row: Pick<OrderToRate, 'planId' | 'move' | 'earlier'>,
): readonly number[] {
  const { planId, move, earlier } = row;
  if (!move && !earlier) return [planId];
  return [planId, ...(move ? [move.planId] : []), ...(earlier ?? []).map((each) => each.planId)];
}

/** The charges that the lines of an order may name, by id. */
function chargesOf(row: OrderToRate, plans: Plans): ReadonlyMap<number, Charge> {
  const ids = [row.planId, ...(row.earlier ?? []).map(({ planId }) => planId)];
  const charges = ids.flatMap((id) => versionOf(plans, id).charges);
  return new Map(charges.map((charge) => [charge.id, charge]));
}

function versionOf(plans: Plans, id: number): Plan {
  const plan = plans.get(id);
  assert(plan, `plan version ${id} was read`);
  return plan;
}

/**
 * Whether the lines of an order that bill cost something else, or include other units, once it moves.
 *
 * @example pricesDiffer(gold, plans) // true: 31.00 becomes 33.00
 */
export function pricesDiffer(row: OrderToRate, plans: Plans): boolean {
  const { move, currency } = row;
  if (!move) return false;
  const charges = chargesOf(row, plans);
  const newest = chargesByCode(versionOf(plans, move.planId));
  return row.lines.some((line) => {
    const charge = charges.get(line.chargeId);
    const next = charge && newest.get(charge.priceCode);
    if (!next || !billsFrom({ ...line, charge }, move.from)) return false;
    return priceText(charge, currency) !== priceText(next, currency);
  });
}

function priceText(charge: Charge, currency: string): string {
  const { pricingType, isProrated, standardQuantity, chargeType } = charge;
  const included = chargeType === 'UsageCharge' ? standardQuantity : null;
  const tiers = charge.tiers
    .filter((tier) => tier.currency === currency)
    .map(({ unitsFrom, unitsTo, price, percent, isOverage }) => [
      unitsFrom,
      unitsTo,
      price,
      percent,
      isOverage,
    ]);
  return JSON.stringify([pricingType, isProrated, included, tiers]);
}

/* Why an order keeps its prices. */

function whyItStays(row: OrderToRate, order: BillableOrder, plans: Plans): string | null {
  const { move } = row;
  assert(move, `order ${row.id} moves to no other version`);
  const newest = versionOf(plans, move.planId);
  const differs = whyPlansDiffer(versionOf(plans, row.planId), newest);
  if (differs !== null) return differs;
  const charges = chargesByCode(newest);
  for (const line of order.lines) {
    if (!billsFrom(line, move.from)) continue;
    const next = charges.get(line.charge.priceCode);
    const why = whyChargesDiffer(line.charge, next, order.currency);
    if (why !== null || next === undefined) return why;
    const highest = highestPricedQuantity(next, order.currency);
    if (highest !== null && compare(line.quantity, highest) > 0) return noTierText(next.priceCode);
  }
  return null;
}

/** A one-time charge that was billed, an inactive line, and one that has ended by then bill nothing. */
function billsFrom(
  line: Pick<BillableLine, 'charge' | 'isActive' | 'nextPeriodIndex' | 'endsOn'>,
  from: IsoDate,
): boolean {
  const { charge, isActive, nextPeriodIndex, endsOn } = line;
  if (!isActive || (endsOn !== null && endsOn < from)) return false;
  return charge.chargeType !== 'OneTimeCharge' || charge.isPenalty || nextPeriodIndex === 0;
}
