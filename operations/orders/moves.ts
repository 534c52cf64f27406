/** The moves of an order from status to status that a caller asks for, and where each leaves it. */
import type { OrderStatus } from '../../domain/model.ts';
import { assertTransition } from '../../domain/orders/status.ts';
import type { SubscriptionOrder } from '../../db/entities/index.ts';
import { endToday } from '../standing/order-end.ts';
import { startingStatus } from './terms.ts';
import type { OperationContext } from '../context/context.ts';

/** Throws order.transition where the order may not go there. */
export async function moveTo(
  context: OperationContext,
  order: SubscriptionOrder,
  to: OrderStatus,
): Promise<void> {
  const { tx, time } = context;
  const from = order.status;
  if (from === to) return;
  assertTransition(from, to);
  const { today } = time;
  if (to === 'Suspended') {
    await tx.query(
      `insert into service_pause (tenant_id, customer_id, order_id, suspended_on)
       values ($1, $2, $3, $4)`,
      [tx.tenantId, order.customerId, order.id, today],
    );
    order.status = to;
  } else if (from === 'Suspended' && to === 'Active') {
    await tx.query(
      'update service_pause set resumed_on = $2 where order_id = $1 and resumed_on is null',
      [order.id, today],
    );
    order.status = startingStatus(to, order.startDate, today);
  } else if (to === 'Canceled') {
    endToday(order, today);
  } else if (to === 'Active' || to === 'Provisioning') {
    order.status = startingStatus(to, order.startDate, today);
  }
}
