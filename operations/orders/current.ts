/** Reads the order that a change replaces, and proposes the one that replaces it. */
import assert from 'node:assert';
import { type IsoDate, isSameSchedule, periodAt } from '../../domain/calendar/calendar.ts';
import {
  type CurrentOrder,
  type NewestBilled,
  inheritedInput,
  refuseContradictions,
  refuseDay,
  refuseUnchangeable,
} from '../../domain/orders/change.ts';
import { termOn } from '../../domain/calendar/terms.ts';
import { takenAlong } from '../../domain/billing/due/elsewhere.ts';
import { refuseTooManyLines } from '../../domain/billing/due/limits.ts';
import {
  type BillableBasis,
  type OrderToRate,
  awaitsChange,
  scheduleOfOrder,
} from '../../domain/billing/order-to-rate.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { type EndSetAside, noRequest } from '../../domain/orders/end.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { withKeptPrices } from '../../domain/orders/kept-prices.ts';
import {
  type OrderProposal,
  idsWanted,
  orderToRate,
  proposeOrder,
} from '../../domain/orders/propose.ts';
import type { Replaced } from '../../domain/orders/replaced.ts';
import { billsFrom } from '../../domain/standing/trial.ts';
import { refuseInactive } from '../../domain/orders/refusals.ts';
import { type OrderRow, loadOrders, pausesOfCustomer } from '../../db/queries/billing/load.ts';
import { type CurrentFacts, readCurrentFacts } from '../../db/queries/orders/current.ts';
import { readNextUses } from '../../db/queries/discounts/uses.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { type LockedCustomer, unknown } from '../context/locks.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { planVersions } from '../plans/versions.ts';
import { keptCoupon, planOfChange } from './plan-choice.ts';
import { refuseMovedChange } from './quote.ts';
import { isTrialUsed } from './trial.ts';

export interface ChangeRequest {
  readonly input: OrderInput;
  /** Today by default. */
  readonly effectiveDate: IsoDate | null;
  /** The current order disappears, and the new one is an order of its own. */
  readonly deletesCurrent: boolean;
  readonly bills: boolean;
  /** The new order has the plan version of the current one. */
  readonly keepsPrices?: boolean;
  /** The parameter that named the current order, and its value, for errors. */
  readonly named: { readonly path: string; readonly value: string };
}

export interface ChangeReader {
  readonly tx: Tx;
  readonly tenant: TenantInfo;
  readonly today: IsoDate;
  /** The change is about to be stored. */
  readonly isForGood: boolean;
  /** As many ids as the new order needs. */
  readonly idsOf: (count: number) => Promise<readonly number[]>;
}

/** A change that was checked and not carried out yet. */
export interface ProposedChange {
  readonly effectiveDate: IsoDate;
  /** The stored row of the current order. */
  readonly current: OrderRow;
  readonly order: OrderProposal;
  /** The new order as it is rated before the change. */
  readonly next: OrderToRate;
}

/** Throws what refuses a change, naming the element or parameter; it changes nothing. */
export async function proposeChange(
  dependencies: Dependencies,
  { tx, tenant, today, isForGood, idsOf }: ChangeReader,
  { id, customer }: { readonly id: number; readonly customer: LockedCustomer },
  { input, deletesCurrent, bills, named, keepsPrices = false, ...request }: ChangeRequest,
): Promise<ProposedChange> {
  refuseTooManyLines(input.orderLineItems?.length ?? 0);
  const effectiveDate = request.effectiveDate ?? today;
  const [[current], facts, pauses] = await Promise.all([
    loadOrders(tx, [id]),
    readCurrentFacts(tx, id),
    pausesOfCustomer(tx, customer.id),
  ]);
  // Another one may have taken its place while the transaction waited for the customer.
  if (current === undefined || facts === undefined) throw unknown('order', { id });
  const [plans, coupons] = await Promise.all([
    planVersions(dependencies.db, tx, [current.planId]),
    couponVersions(dependencies.db, tx, [current.couponId]),
  ]);
  const plan = plans.get(current.planId);
  assert(plan, `order ${id} has a plan`);
  const before = currentOf(current, plan, facts);
  if (!deletesCurrent) refuseUnchangeable(before, named);
  refuseInactive(customer, named);
  if (!deletesCurrent) refuseDay(effectiveDate, before, today);
  refuseContradictions(input, before, { effectiveDate, keepsPrices });
  const offer = await planOfChange(dependencies, tx, input, { own: plan, keepsPrices });
  const own = coupons.get(current.couponId ?? 0) ?? null;
  const { currency } = before;
  const redeeming = { customerId: customer.id, isForGood };
  const use = { plan: offer.plan, currency, today, ...redeeming };
  const coupon = await keptCoupon(tx, own, input, use);
  const { trialDays } = input;
  const trialChoice = { plan: offer.plan, trialDays, customerId: customer.id, orderId: id };
  const proposed = proposeOrder(inheritedInput(input, before, effectiveDate), {
    customer,
    offer,
    coupon,
    pauses,
    today,
    usageGraceDays: tenant.settings.usageGraceDays,
    ids: await idsOf(idsWanted(input, offer.plan)),
    bills,
    replaces: deletesCurrent ? null : replacedOf({ current, plan, facts }, input, effectiveDate),
    takenAlong: takenAlong(current, scheduleOfOrder(current, plan), effectiveDate),
    isTrialUsed: deletesCurrent && (await isTrialUsed(tx, trialChoice)),
  });
  const order = await atKeptPrices(dependencies, tx, proposed, current, {
    customerStatus: customer.status,
    today,
    usageGraceDays: tenant.settings.usageGraceDays,
  });
  await refuseMovedChange(tx, input, order, { tenant, own });
  const next = orderToRate(order);
  const goesOn = !deletesCurrent && coupon !== null && coupon.id === current.couponId;
  if (!goesOn) return { effectiveDate, current, order, next };
  const isKept = isSameSchedule(scheduleOfOrder(current, plan), scheduleOfOrder(next, order.plan));
  const uses = await readNextUses(tx, current.id, isKept ? order.firstPeriod : null);
  return { effectiveDate, current, order, next: { ...next, couponUses: uses } };
}

/** An order that keeps the version of the current one moves on as that one would. */
async function atKeptPrices(
  { db }: Dependencies,
  tx: Tx,
  order: OrderProposal,
  { planId, move }: OrderRow,
  basis: BillableBasis,
): Promise<OrderProposal> {
  if (!move || order.plan.id !== planId) return order;
  const plans = await planVersions(db, tx, [planId, move.planId]);
  return withKeptPrices(order, { ...basis, move, plans });
}

/** What was billed of an order last, which its change may not reach over. */
export function newestBilled(
  row: OrderRow,
  plan: Plan,
  { newestPeriod: newest, usageTo: usageBilledTo }: CurrentFacts,
): NewestBilled {
  const newestPeriodFrom =
    newest === null ? null : periodAt(scheduleOfOrder(row, plan), newest).start;
  return { startDate: row.startDate, newestPeriodFrom, usageBilledTo };
}

function currentOf(row: OrderRow, plan: Plan, facts: CurrentFacts): CurrentOrder {
  return {
    status: row.status,
    isChanging: row.changeOn !== null || awaitsChange(row),
    customerId: row.customerId,
    currency: row.currency,
    ...newestBilled(row, plan, facts),
    endDate: row.endDate,
    isAutoRenew: row.isAutoRenew,
    termStart: row.termStart,
    termFirstEnd: row.termFirstEnd,
    isAutoPay: row.isAutoPay,
    separateInvoice: row.separateInvoice,
    jobCode: row.jobCode,
    purchaseOrder: row.purchaseOrder,
    dueDateValue: row.dueDateValue,
    dueDateUnits: row.dueDateUnits,
    invoiceText: row.invoiceText,
    invoiceNotes: facts.invoiceNotes,
    notes: facts.notes,
    metadata: row.metadata ?? null,
  };
}

interface ReplacedFacts {
  readonly current: OrderRow;
  readonly plan: Plan;
  readonly facts: Pick<CurrentFacts, 'billedOnce' | keyof EndSetAside>;
}

/** What the new order takes over from the order that it replaces on a day. */
export function replacedOf(
  { current, plan, facts }: ReplacedFacts,
  input: Pick<OrderInput, 'endDate' | 'isAutoRenew'>,
  effectiveDate: IsoDate,
): Replaced {
  const codes = new Map(plan.charges.map((charge) => [charge.id, charge]));
  const billedOnce = new Set(facts.billedOnce);
  const penalties = new Set<string>();
  for (const { chargeId, isActive } of current.lines) {
    const charge = codes.get(chargeId);
    if (charge === undefined) continue;
    if (charge.isPenalty) penalties.add(charge.priceCode);
    // What it has not been billed yet is billed for the days before the change.
    else if (charge.chargeType === 'OneTimeCharge' && isActive) {
      if (billsFrom(current) < effectiveDate) billedOnce.add(charge.priceCode);
    }
  }
  return {
    id: current.id,
    startDate: current.startDate,
    trialEndDate: current.trialEndDate,
    schedule: scheduleOfOrder(current, plan),
    firstPeriod: current.firstPeriod,
    couponId: current.couponId,
    couponPeriodsBefore: current.couponPeriodsBefore,
    ...termOf({ current, facts }, input, effectiveDate),
    taken: { billedOnce, penalties },
  };
}

/**
 * The term goes on unless the caller gives another end, and so does a requested end unless the new
 * order is to renew: then its end is one that a PUT might have set.
 */
function termOf(
  { current, facts }: Pick<ReplacedFacts, 'current' | 'facts'>,
  { endDate, isAutoRenew }: Pick<OrderInput, 'endDate' | 'isAutoRenew'>,
  effectiveDate: IsoDate,
): Pick<Replaced, 'term' | 'request'> {
  const { cancelReason, keptAutoRenew, keptEndDate } = facts;
  const { termStart, termFirstEnd, endDate: end } = current;
  if (endDate !== undefined) return { term: null, request: noRequest };
  if (keptAutoRenew === null || isAutoRenew === undefined || isAutoRenew === false) {
    const request = { cancelReason, keptAutoRenew, keptEndDate };
    return { term: { termStart, termFirstEnd }, request };
  }
  const present = termFirstEnd && termOn({ termStart, termFirstEnd }, effectiveDate);
  const term = { termStart: present ? present.start : termStart, termFirstEnd: end };
  return { term, request: noRequest };
}
