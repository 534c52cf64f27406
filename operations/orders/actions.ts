/** The actions of an order: bill, suspend, activate. */
import { DomainError } from '../../domain/errors.ts';
import {
  type OrderStatus,
  assertTransition,
  lastDayIfCancelled,
  statusOn,
} from '../../domain/standing/status.ts';
import { refuseIfItCannotBill } from '../../domain/orders/refusals.ts';
import { generateInvoices } from '../billing/generate.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import { type NumberedAddress, lockOrder } from '../context/locks.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { forgetRequest, loadOrder, termsOfAggregate } from './aggregate.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { Customer, ServicePause } from '../../db/entities/customers.ts';
import { SubscriptionOrder } from '../../db/entities/orders.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { startingStatus } from '../../domain/orders/terms.ts';
import { changeOnResumption, endChange, setFirstPeriods } from './pending.ts';
import { planVersions } from '../plans/versions.ts';
import { isTrialUsed, restart } from './trial.ts';

/** Bills everything due of the order's customer now; returns the number of invoices. */
export async function generateForOrder(
  dependencies: Dependencies,
  context: OperationContext,
  address: NumberedAddress,
): Promise<number> {
  const { id, customer } = await lockOrder(context.tx, address);
  const [order] = await context.tx.query<{ status: OrderStatus }>(
    'select status from subscription_order where id = $1',
    [id],
    'status-of-order',
  );
  if (order) refuseIfItCannotBill(order.status, customer);
  return (await generateInvoices(dependencies, context, customer.id)).length;
}

/**
 * Suspends or activates an order as an action; throws order.transition if its status does not allow
 * it. A suspension may end by itself at 00:00 of the day `until`, and another one moves that day.
 */
export async function moveOrder(
  context: OperationContext,
  address: NumberedAddress,
  to: 'Suspended' | 'Active',
  until: IsoDate | null = null,
): Promise<number> {
  const order = await loadOrder(context, address);
  const wasDraft = order.status === 'Draft';
  if (order.status === to && until === null) {
    throw new DomainError('order.transition', `the order is already ${to}`, { value: to });
  }
  const others = await moveTo(context, order, to);
  await context.tx.flush();
  if (until !== null) {
    await setUntil(context, order.id, until);
    await context.tx.flush();
  }
  const orderIds = [order.id, ...others];
  const updated = new Set(orderIds);
  const options = { isLimited: wasDraft, updated, hasLeftDraft: wasDraft };
  await rescheduleOrders(context, { orderIds }, options);
  return order.id;
}

/* The moves of an order from status to status that a caller asks for, and where each leaves it. */

/**
 * Returns the other order of a change that this ends. Throws order.transition where the order may
 * not go there.
 */
export async function moveTo(
  context: OperationContext,
  order: SubscriptionOrder,
  to: OrderStatus,
): Promise<readonly number[]> {
  const { tx, time } = context;
  const from = order.status;
  if (from === to) return [];
  assertTransition(from, to);
  const { today } = time;
  if (to === 'Suspended') {
    const [id = 0] = await takeIds(tx, 1);
    const { tenantId } = tx;
    const customer = tx.em.getReference(Customer, [tenantId, order.customerId]);
    tx.em.create(ServicePause, {
      tenantId,
      id,
      customer,
      orderId: order.id,
      suspendedOn: today,
    });
    order.status = to;
  } else if (from === 'Suspended' && to === 'Active') {
    await resume(context, order, today);
  } else if (to === 'Canceled') {
    endToday(order, today);
    if (from === 'Suspended') await setUntil(context, order.id, null);
    return endChange(context, order, from);
  } else if (to === 'Active' || to === 'Provisioning') {
    order.status = startingStatus(to, order.startDate, today);
    await confirmTrial(context, order);
  }
  return [];
}

/** Another Draft may have become an order with the trial of the plan meanwhile, which is had once. */
async function confirmTrial(context: OperationContext, order: SubscriptionOrder): Promise<void> {
  const { id: orderId, customerId, startDate, trialDays = null, previousOrderId } = order;
  if (order.trialEndDate == null || previousOrderId != null) return;
  const { db, tx, time } = context;
  const plan = (await planVersions(db, tx, [order.planId])).get(order.planId);
  if (plan === undefined) throw new Error(`plan ${order.planId} of an order is not there`);
  if (!(await isTrialUsed(tx, { plan, trialDays, customerId, orderId }))) return;
  const without = { startDate, trialEndDate: null, trialDays };
  restart(order, without, { today: time.today, replaced: null });
  await setFirstPeriods(order, plan, null);
}

/** The order is served again from a day on, which may have passed; a change that waited takes effect then. */
async function resume(
  context: OperationContext,
  order: SubscriptionOrder,
  resumedOn: IsoDate,
): Promise<void> {
  const pause = await openPause(context, order.id);
  if (pause) {
    pause.resumedOn = resumedOn;
    pause.until = null;
  }
  order.status = startingStatus('Active', order.startDate, resumedOn);
  await changeOnResumption(context, order, resumedOn);
}

/**
 * The pause of an order has ended by itself. The run of the day, which is still to come, bills what is
 * due. Only an order that is still Suspended resumes: one that has ended meanwhile has no end of its
 * pause any more.
 */
export async function resumeBySelf(
  context: OperationContext,
  orderId: number,
  until: IsoDate,
): Promise<void> {
  const { tx, time } = context;
  const order = await tx.em.findOneOrFail(
    SubscriptionOrder,
    { tenantId: tx.tenantId, id: orderId },
    { refresh: true },
  );
  if (statusOn(termsOfAggregate(order), time.today).status !== 'Suspended') {
    await setUntil(context, orderId, null);
    await tx.flush();
    return;
  }
  await resume(context, order, until);
  await tx.flush();
  const updated = new Set([orderId]);
  await rescheduleOrders(context, { orderIds: [orderId] }, { updated, isBeforeRun: true });
}

function openPause({ tx }: OperationContext, orderId: number): Promise<ServicePause | null> {
  return tx.em.findOne(ServicePause, { orderId, resumedOn: null }, { refresh: true });
}

async function setUntil(
  context: OperationContext,
  orderId: number,
  until: IsoDate | null,
): Promise<void> {
  const pause = await openPause(context, orderId);
  if (pause) pause.until = until;
}

/** A cancelled order's endDate is the day on which it ended, or empty if it never began. */
function endToday(order: SubscriptionOrder, today: IsoDate): void {
  order.endedOn = lastDayIfCancelled(termsOfAggregate(order), today);
  order.endDate = order.endedOn;
  forgetRequest(order);
  order.status = 'Canceled';
}
