/** Ends an order by request, now or when its period or term is over, and takes a request back. */
import { DomainError } from '../../domain/errors.ts';
import { type IsoDate, periodIndexOf } from '../../domain/calendar/calendar.ts';
import { type EndDays, type EndTime, endDaysOn, requestedEnd } from '../../domain/orders/end.ts';
import { scheduleOfOrder } from '../../domain/billing/order-to-rate.ts';
import { type OrderStatus, canEdit, statusOn } from '../../domain/standing/status.ts';
import type { SubscriptionOrder } from '../../db/entities/orders.ts';
import { readCurrentFacts } from '../../db/queries/orders/current.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import type { NumberedAddress } from '../context/locks.ts';
import { creditUnusedDays } from '../payments/credit-unused.ts';
import { planVersions } from '../plans/versions.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import { moveTo } from './actions.ts';
import {
  isEndRequested,
  loadOrder,
  termsOfAggregate,
  trialDaysOf,
  withoutRequest,
} from './aggregate.ts';
import { endChange } from './pending.ts';

export interface EndRequest {
  readonly when: EndTime;
  readonly reason: string | null;
}

/**
 * Ends an order as if no end were requested before. Returns its id. Throws order.transition for a
 * Draft and for one that has ended, order.changePending where a change comes before the end.
 */
export async function endOrder(
  dependencies: Dependencies,
  context: OperationContext,
  address: NumberedAddress,
  { when, reason }: EndRequest,
): Promise<number> {
  const order = await loadOrder(context, address);
  const { today } = context.time;
  const { status } = statusOn(termsOfAggregate(order), today);
  if (status === 'Draft' || !canEdit(status)) throw notInProgress(status);
  takeBack(order, today);
  const others =
    when === 'now'
      ? await moveTo(context, order, 'Canceled')
      : await endLater(context, order, when);
  order.cancelReason = reason;
  await save(context, [order.id, ...others]);
  if (when === 'now') await creditUnusedDays(dependencies, context, [order.id]);
  return order.id;
}

/** Takes a requested end back that has not come. Throws order.notEnding without one. */
export async function keepOrder(
  context: OperationContext,
  address: NumberedAddress,
): Promise<number> {
  const order = await loadOrder(context, address);
  const { today } = context.time;
  if (!isEndRequested(order) || !canEdit(statusOn(termsOfAggregate(order), today).status)) {
    const where = { path: 'action', value: 'keep' };
    throw new DomainError('order.notEnding', 'no end of the order is requested', where);
  }
  takeBack(order, today);
  await save(context, [order.id]);
  return order.id;
}

/** The order goes on as before its end was requested, renewed as often as its term has passed since. */
function takeBack(order: SubscriptionOrder, today: IsoDate): void {
  const kept = withoutRequest(order);
  if (kept !== null) Object.assign(order, kept);
  order.endDate = statusOn(termsOfAggregate(order), today).endDate;
}

/** Returns the order of a change that comes to nothing, because it would begin after the end. */
async function endLater(
  context: OperationContext,
  order: SubscriptionOrder,
  when: Exclude<EndTime, 'now'>,
): Promise<readonly number[]> {
  const { endDate = null, isAutoRenew, changeOn = null } = order;
  const last = requestedEnd({ endDate, isAutoRenew }, when, await endDaysOf(context, order));
  if (changeOn !== null && changeOn <= last) {
    const text = `a change of the order is pending for ${changeOn}, before its end on ${last}`;
    throw new DomainError('order.changePending', text, { path: 'when', value: when });
  }
  order.keptAutoRenew = isAutoRenew;
  order.keptEndDate = endDate;
  order.isAutoRenew = false;
  order.endDate = last;
  return changeOn === null ? [] : endChange(context, order, order.status);
}

async function endDaysOf(
  { db, tx, time }: OperationContext,
  order: SubscriptionOrder,
): Promise<EndDays> {
  const { id, planId, anchor, billedThrough } = order;
  const [plans, facts] = await Promise.all([
    planVersions(db, tx, [planId]),
    readCurrentFacts(tx, id),
  ]);
  const plan = plans.get(planId);
  if (plan === undefined || facts === undefined) throw new Error(`no order ${id} with its plan`);
  const schedule = scheduleOfOrder({ anchor }, plan);
  // A period that was billed elsewhere was billed.
  const elsewhere = billedThrough == null ? [] : [periodIndexOf(schedule, billedThrough)];
  const billed = facts.newestPeriod === null ? elsewhere : [...elsewhere, facts.newestPeriod];
  const newestPeriod = billed.length === 0 ? null : Math.max(...billed);
  return endDaysOn({ schedule, newestPeriod, ...trialDaysOf(order) }, time.today);
}

async function save(context: OperationContext, orderIds: readonly number[]): Promise<void> {
  await context.tx.flush();
  await rescheduleOrders(context, { orderIds }, { updated: new Set(orderIds) });
}

function notInProgress(status: OrderStatus): DomainError {
  const where = { path: 'action', value: 'cancel' };
  return new DomainError('order.transition', `a ${status} order cannot be cancelled`, where);
}
