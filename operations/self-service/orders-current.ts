/** Reads the order that a customer upgrades or downgrades, and what it may choose instead. */
import { planIdsOf } from '../../domain/billing/due/new-prices.ts';
import assert from 'node:assert';
import { maxDate, periodAt, periodIndexOf, type IsoDate } from '../../domain/calendar/calendar.ts';
import type { Coupon } from '../../domain/discounts/coupon.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { formatDecimal, parseDecimal, type Decimal } from '../../domain/money/money.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { firstChangeDay } from '../../domain/orders/change.ts';
import { orderLinesFor } from '../../domain/orders/lines.ts';
import { requestedLine } from '../../domain/orders/terms.ts';
import { trialEndDateOf } from '../../domain/orders/trial.ts';
import { billsFrom, isInTrial } from '../../domain/standing/trial.ts';
import { comparePerDay, type PeriodPrice } from '../../domain/self-service/per-day.ts';
import {
  planPrice,
  type PlanPrice,
  type RunningPrice,
} from '../../domain/self-service/running-price.ts';
import { loadOrders, type OrderRow } from '../../db/queries/billing/load.ts';
import { readCurrentFacts, type CurrentFacts } from '../../db/queries/orders/current.ts';
import type { Dependencies } from '../context/context.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { newestBilled, replacedOf } from '../orders/current.ts';
import { listOffered, PLANS_LISTED_MAX } from '../orders/offered.ts';
import { countedCharges, inParameters, pagePlan } from '../../domain/orders/quoted-plan.ts';
import { planVersions } from '../plans/versions.ts';
import { scheduleOfOrder } from '../../domain/billing/order-to-rate.ts';
import { priceOfRow, readOwnOrder, type OrdersReader, type OwnOrder } from './orders-own.ts';

export type ChangeKind = 'upgrade' | 'downgrade';

/** An order as it is now, and everything that a change of it depends on. */
export interface ChangeableOrder {
  readonly own: OwnOrder;
  readonly row: OrderRow;
  readonly plan: Plan;
  readonly facts: CurrentFacts;
  readonly coupon: Coupon | null;
  /** Of its plan's product offering; null: it has none. */
  readonly sku: string | null;
  readonly price: RunningPrice;
  /** As often as a whole plan; null if its lines have not all the same multiple. */
  readonly quantity: Decimal | null;
}

/** Undefined if the customer has no such order. */
export async function readChangeable(
  dependencies: Dependencies,
  reader: OrdersReader,
  id: number,
): Promise<ChangeableOrder | undefined> {
  const { tx, customerId, today } = reader;
  const own = await readOwnOrder(tx, { id, customerId });
  if (own === undefined) return undefined;
  const [[row], facts] = await Promise.all([loadOrders(tx, [id]), readCurrentFacts(tx, id)]);
  assert(row && facts, 'an order that was found has a row');
  const [plans, coupons, [offering]] = await Promise.all([
    planVersions(dependencies.db, tx, planIdsOf(row)),
    couponVersions(dependencies.db, tx, [row.couponId]),
    tx.query<{ sku: string }>(
      `select o.sku from plan p
       join product_offering o on o.tenant_id = p.tenant_id and o.id = p.product_offering_id
       where p.tenant_id = $1 and p.id = $2`,
      [tx.tenantId, row.planId],
      'sku-of-plan',
    ),
  ]);
  const plan = plans.get(row.planId);
  assert(plan, `order ${id} has a plan`);
  const coupon = coupons.get(row.couponId ?? 0) ?? null;
  return {
    own,
    row,
    plan,
    facts,
    coupon,
    sku: offering?.sku ?? null,
    price: priceOfRow(row, { plans, coupon, today }),
    quantity: quantityOf(row, plan),
  };
}

/** How many times the plan an order is, by the charges that follow its quantity. */
function quantityOf({ lines }: OrderRow, plan: Plan): Decimal | null {
  const counted = countedCharges(plan);
  const multiples = lines.flatMap(({ chargeId, quantity, isActive }) => {
    const charge = counted.find(({ id }) => id === chargeId);
    if (charge === undefined || !isActive) return [];
    const standard = parseDecimal(charge.standardQuantity);
    const millionths = parseDecimal(quantity) * 1_000_000n;
    return millionths % standard === 0n ? [formatDecimal(millionths / standard)] : [null];
  });
  const [first = null, ...others] = new Set(multiples);
  return others.length === 0 && first !== '0' ? first : null;
}

/** What of the offered plans costs how much, in a quantity. */
export interface PricedPlan {
  readonly contractCode: string;
  readonly name: string;
  readonly price: PlanPrice;
  /** The order has this plan. */
  readonly isCurrent: boolean;
  /** Something of it follows a quantity. */
  readonly hasQuantity: boolean;
  /** The last free day of the order; null without a trial. */
  readonly trialEndDate: IsoDate | null;
}

/**
 * The plans of the order's product offering that cost more, or less, per day in the quantity that it
 * has, and its own plan for another quantity, if something follows it.
 */
export async function planChoices(
  dependencies: Dependencies,
  reader: OrdersReader,
  current: ChangeableOrder,
  kind: ChangeKind,
): Promise<PricedPlan[]> {
  const offered = await readPlans(dependencies, reader, current);
  const plans = offered.slice(0, PLANS_LISTED_MAX);
  const effectiveDate = effectiveOn(current, { kind, today: reader.today });
  const quantity = current.quantity ?? '1';
  return plans.flatMap((plan) => {
    const { contractCode, name } = plan;
    const isCurrent = contractCode === current.plan.contractCode;
    const choice = { plan, quantity, effectiveDate };
    const price = withoutRefusal(() => priceOfChoice(current, choice, reader.today));
    if (price === null) return [];
    const hasQuantity = countedCharges(plan).length > 0;
    const fits = isCurrent ? hasQuantity : isInDirection(price, current.price, kind);
    const trialEndDate = trialOfChoice(current, choice);
    return fits ? [{ contractCode, name, price, isCurrent, hasQuantity, trialEndDate }] : [];
  });
}

/**
 * The plans that the order may have instead, in force today, of its product offering; its own in the
 * version that it has, whatever has become of that.
 */
async function readPlans(
  dependencies: Dependencies,
  { tx, today }: OrdersReader,
  { sku, row, plan }: ChangeableOrder,
): Promise<Plan[]> {
  const { currency } = row;
  // Without a product offering a plan has no others beside it.
  if (sku === null) return [plan];
  const offered = await listOffered(tx, { sku, currency, startDate: today, today });
  const isOwn = ({ contractCode }: { readonly contractCode: string }) =>
    contractCode === plan.contractCode;
  const ids = offered.map((each) => (isOwn(each) ? plan.id : each.id));
  const versions = await planVersions(dependencies.db, tx, ids);
  const plans = ids.flatMap((id) => versions.get(id) ?? []);
  return offered.some(isOwn) ? plans : [plan, ...plans];
}

/** Throws plan.retired for a plan that is not among the choices. */
export async function chosenPlan(
  dependencies: Dependencies,
  reader: OrdersReader,
  current: ChangeableOrder,
  contractCode: string,
): Promise<Plan> {
  const plans = await readPlans(dependencies, reader, current);
  const plan = plans.find((each) => each.contractCode === contractCode);
  if (plan !== undefined) return plan;
  const where = { path: 'contractCode', value: contractCode };
  throw new DomainError('plan.retired', `plan ${contractCode} is not offered here`, where);
}

export interface ChosenTerms {
  readonly plan: Plan;
  readonly quantity: Decimal;
  readonly effectiveDate: IsoDate;
}

/**
 * Today for more; for less when the period that is under way, or the trial, has ended; no earlier than
 * the order can be replaced.
 */
export function effectiveOn(
  { row, plan, facts }: ChangeableOrder,
  { kind, today }: { readonly kind: ChangeKind; readonly today: IsoDate },
): IsoDate {
  const first = maxDate(today, firstChangeDay(newestBilled(row, plan, facts), today));
  if (kind === 'upgrade') return first;
  if (isInTrial(row, today)) return maxDate(first, billsFrom(row));
  const schedule = scheduleOfOrder(row, plan);
  return maxDate(first, periodAt(schedule, periodIndexOf(schedule, today) + 1).start);
}

/** The body of the change: the whole plan, without what was billed once, and the coupon if it may. */
export function inputOf(
  current: ChangeableOrder,
  { plan, quantity, effectiveDate }: ChosenTerms,
): OrderInput {
  const { coupon, row } = current;
  const isOwn = plan.id === current.plan.id;
  const { taken } = replacedOf({ ...current, current: row }, {}, effectiveDate);
  const isKept =
    coupon !== null && (coupon.plans === null || coupon.plans.includes(plan.contractCode));
  return {
    ...(isOwn ? { contractOfferingId: plan.id } : { contractCode: plan.contractCode }),
    couponCode: isKept ? coupon.code : null,
    orderLineItems: pagePlan(plan, { quantity, taken, kept: current.quantity }),
    isWholePlan: true,
  };
}

/** A trial goes on with a plan that has one. */
const trialOfChoice = (
  { row }: ChangeableOrder,
  { plan, effectiveDate: startDate }: ChosenTerms,
): IsoDate | null =>
  trialEndDateOf({ plan, startDate, trialDays: null, isUsed: false, replaces: row });

/** Throws quantity.outOfRange, of the quantity. */
export function priceOfChoice(
  current: ChangeableOrder,
  choice: ChosenTerms,
  today: IsoDate,
): PlanPrice {
  const { plan, effectiveDate } = choice;
  const { row } = current;
  const { currency } = row;
  return inParameters(() => {
    const { orderLineItems } = inputOf(current, choice);
    const { taken } = replacedOf({ ...current, current: row }, {}, effectiveDate);
    const lines = orderLinesFor(plan, (orderLineItems ?? []).map(requestedLine), currency, taken);
    return planPrice(lines, { currency, today, billingPeriod: plan.billingPeriod });
  });
}

/** An upgrade is dearer per day, a downgrade cheaper; the same price is neither. */
export function isInDirection(next: PeriodPrice, now: PeriodPrice, kind: ChangeKind): boolean {
  return comparePerDay(next, now) === (kind === 'upgrade' ? 1 : -1);
}

function withoutRefusal<Result>(price: () => Result): Result | null {
  try {
    return price();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return null;
  }
}
