/** The actions of an order: bill, suspend, activate. */
import { DomainError } from '../../domain/errors.ts';
import {
  type OrderStatus,
  assertTransition,
  lastDayIfCancelled,
} from '../../domain/standing/status.ts';
import { refuseIfItCannotBill } from '../../domain/orders/refusals.ts';
import { generateInvoices } from '../billing/generate.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import { type NumberedAddress, lockOrder } from '../context/locks.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { forgetRequest, loadOrder, termsOfAggregate } from './aggregate.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { Customer, ServicePause } from '../../db/entities/customers.ts';
import type { SubscriptionOrder } from '../../db/entities/orders.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { startingStatus } from '../../domain/orders/terms.ts';
import { changeToday, endChange } from './pending.ts';

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
 * it.
 */
export async function moveOrder(
  context: OperationContext,
  address: NumberedAddress,
  to: 'Suspended' | 'Active',
): Promise<number> {
  const order = await loadOrder(context, address);
  const wasDraft = order.status === 'Draft';
  if (order.status === to) {
    throw new DomainError('order.transition', `the order is already ${to}`, { value: to });
  }
  const others = await moveTo(context, order, to);
  await context.tx.flush();
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
    const pause = await tx.em.findOne(
      ServicePause,
      { orderId: order.id, resumedOn: null },
      { refresh: true },
    );
    if (pause) pause.resumedOn = today;
    order.status = startingStatus(to, order.startDate, today);
    await changeToday(context, order);
  } else if (to === 'Canceled') {
    endToday(order, today);
    return endChange(context, order, from);
  } else if (to === 'Active' || to === 'Provisioning') {
    order.status = startingStatus(to, order.startDate, today);
  }
  return [];
}

/** A cancelled order's endDate is the day on which it ended, or empty if it never began. */
function endToday(order: SubscriptionOrder, today: IsoDate): void {
  order.endedOn = lastDayIfCancelled(termsOfAggregate(order), today);
  order.endDate = order.endedOn;
  forgetRequest(order);
  order.status = 'Canceled';
}
