/** Pending changes: how the order that waits follows what becomes of the one that it will replace. */
import { firstIndex, type IsoDate, type Schedule } from '../../domain/calendar/calendar.ts';
import { termStartAfter } from '../../domain/orders/align.ts';
import { firstPeriods } from '../../domain/orders/propose.ts';
import { couponPeriodsBefore, scheduleAfter, type Replaced } from '../../domain/orders/replaced.ts';
import { trialEndDateOf } from '../../domain/orders/trial.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import type { OrderStatus } from '../../domain/standing/status.ts';
import { billsFrom } from '../../domain/standing/trial.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { SubscriptionOrder } from '../../db/entities/orders.ts';
import { loadOrders } from '../../db/queries/billing/load.ts';
import { readCurrentFacts } from '../../db/queries/orders/current.ts';
import { cancelSuccessors, forgetChange } from '../../db/queries/standing/changes.ts';
import type { OperationContext } from '../context/context.ts';
import { type BilledElsewhere, takenAlong } from '../../domain/billing/due/elsewhere.ts';
import { elsewhereOf, setStarts } from './elsewhere.ts';
import { planVersions } from '../plans/versions.ts';
import { trialDaysOf } from './aggregate.ts';
import { replacedOf } from './current.ts';

/** What an order takes over from the one that it will replace; null if it replaces none. */
export async function replacedBy(
  { db, tx }: OperationContext,
  { previousOrderId, startDate }: SubscriptionOrder,
  input: Pick<OrderInput, 'endDate'>,
): Promise<Replaced | null> {
  if (previousOrderId == null) return null;
  const [[current], facts] = await Promise.all([
    loadOrders(tx, [previousOrderId]),
    readCurrentFacts(tx, previousOrderId),
  ]);
  const plan = current && (await planVersions(db, tx, [current.planId])).get(current.planId);
  if (!current || !facts || !plan) throw new Error(`no order ${previousOrderId} with its plan`);
  return replacedOf({ current, plan, facts }, input, startDate);
}

/** An order is Active again after the day of its change: the change takes effect on this day. */
export async function changeOnResumption(
  context: OperationContext,
  order: SubscriptionOrder,
  resumedOn: IsoDate,
): Promise<void> {
  if (order.changeOn == null || order.changeOn >= resumedOn || order.status !== 'Active') return;
  order.changeOn = resumedOn;
  await context.tx.flush();
  await alignNext(context, order);
}

/** Sets the periods of an order, which may be those of the one that it will replace. */
export function setPeriods(
  order: SubscriptionOrder,
  plan: Plan,
  replaced: Replaced | null,
): Schedule {
  const { couponId } = order;
  const days = trialDaysOf(order);
  const schedule = scheduleAfter(plan, days, replaced);
  const coupon = couponId == null ? null : { id: couponId };
  order.anchor = schedule.anchor;
  order.firstPeriod = firstIndex(schedule, billsFrom(days));
  order.couponPeriodsBefore = couponPeriodsBefore(coupon, schedule, days, replaced);
  return schedule;
}

/**
 * The order that waits begins on the day of the change, in the periods of the one that it replaces,
 * and takes along what is billed elsewhere if it did before.
 */
export async function alignNext(
  context: OperationContext,
  current: SubscriptionOrder,
  elsewhere: BilledElsewhere = elsewhereOf(current),
): Promise<void> {
  const { id, changeOn } = current;
  const { db, tx } = context;
  const { tenantId } = tx;
  const where = { tenantId, previousOrderId: id, status: 'Provisioning' as const };
  const next = await tx.em.findOneOrFail(SubscriptionOrder, where, { refresh: true });
  const plan = (await planVersions(db, tx, [next.planId])).get(next.planId);
  if (plan === undefined || changeOn == null) throw new Error(`no change of order ${id}`);
  const before = trialDaysOf(next);
  next.startDate = changeOn;
  const replaces = await replacedBy(context, next, {});
  if (replaces === null) throw new Error(`no order before ${next.id}`);
  const trialDays = next.trialDays ?? null;
  const basis = { plan, startDate: changeOn, trialDays, isUsed: false, replaces };
  next.trialEndDate = trialEndDateOf(basis);
  if (elsewhereOf(next).billedThrough === elsewhere.billedThrough) {
    Object.assign(next, takenAlong(elsewhereOf(current), replaces.schedule, changeOn));
  }
  const from = billsFrom(trialDaysOf(next));
  const { termStart, termFirstEnd = null } = next;
  const ofCurrent = { termStart: replaces.term?.termStart ?? termStart };
  next.termStart = termStartAfter({ ...before, termStart, termFirstEnd }, ofCurrent, from);
  const schedule = await setFirstPeriods(next, plan, replaces);
  // Until the change its lines have no other first days.
  setStarts(next, plan, { schedule });
  await tx.flush();
}

/** Sets the periods of an order that has billed nothing, and has its lines begin with the first one. */
export async function setFirstPeriods(
  order: SubscriptionOrder,
  plan: Plan,
  replaced: Replaced | null,
): Promise<Schedule> {
  if (!order.lines.isInitialized()) await order.lines.init();
  const schedule = setPeriods(order, plan, replaced);
  const firstOf = firstPeriods(schedule, billsFrom(trialDaysOf(order)));
  const charges = new Map(plan.charges.map((charge) => [charge.id, charge]));
  for (const line of order.lines) {
    const charge = charges.get(line.chargeId);
    if (charge !== undefined) line.nextPeriodIndex = firstOf(charge);
  }
  return schedule;
}

/**
 * An order is cancelled: the change that it is part of comes to nothing. Returns the other order.
 * @param from its status before
 */
export async function endChange(
  { tx }: OperationContext,
  order: SubscriptionOrder,
  from: OrderStatus,
): Promise<readonly number[]> {
  if (order.changeOn != null) {
    const others = await cancelSuccessors(tx, [order.id]);
    order.changeOn = null;
    return others;
  }
  const { previousOrderId } = order;
  // Once it has begun, it has replaced the other for good.
  if (previousOrderId == null || from !== 'Provisioning') return [];
  order.previousOrderId = null;
  forgetChange(tx, previousOrderId);
  return [previousOrderId];
}
