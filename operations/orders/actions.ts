/** The actions of an order: bill, suspend, activate. */
import { DomainError } from '../../domain/errors.ts';
import type { OrderStatus } from '../../domain/standing/status.ts';
import { refuseIfItCannotBill } from '../../domain/orders/refusals.ts';
import { generateInvoices } from '../billing/generate.ts';
import { rescheduleOrders } from '../standing/reschedule-orders.ts';
import { lockOrder, type NumberedAddress } from '../context/locks.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { loadOrder } from './aggregate.ts';
import { moveTo } from './moves.ts';

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
