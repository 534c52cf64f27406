/** The moves of an order from status to status that a caller asks for, and where each leaves it. */
import type { IsoDate, OrderStatus } from '../domain/model.ts';
import { assertTransition, lastDayIfCancelled } from '../domain/orders.ts';
import type { SubscriptionOrder } from '../db/entities/index.ts';
import { startingStatus } from './order-terms.ts';
import type { Work } from './services.ts';

/** Throws order.transition where the order may not go there. */
export async function moveTo(work: Work, order: SubscriptionOrder, to: OrderStatus): Promise<void> {
  const { tx, moment } = work;
  const from = order.status;
  if (from === to) return;
  assertTransition(from, to);
  const { today } = moment;
  if (to === 'Suspended') {
    await tx.query(
      `insert into service_break (tenant_id, customer_id, order_id, suspended_on)
       values ($1, $2, $3, $4)`,
      [tx.tenantId, order.customerId, order.id, today],
    );
    order.status = to;
  } else if (from === 'Suspended' && to === 'Active') {
    await tx.query(
      'update service_break set resumed_on = $2 where order_id = $1 and resumed_on is null',
      [order.id, today],
    );
    order.status = startingStatus(to, order.startDate, today);
  } else if (to === 'Canceled') {
    endToday(order, today);
  } else if (to === 'Active' || to === 'Provisioning') {
    order.status = startingStatus(to, order.startDate, today);
  }
}

/** Cancelled: its endDate is the day on which it ended, and none where it never began. */
export function endToday(order: SubscriptionOrder, today: IsoDate): void {
  const terms = {
    status: order.status,
    startDate: order.startDate,
    endDate: order.endDate ?? null,
    isAutoRenew: order.isAutoRenew,
    termStart: order.termStart,
    termFirstEnd: order.termFirstEnd ?? null,
  };
  order.endedOn = lastDayIfCancelled(terms, today);
  order.endDate = order.endedOn;
  order.status = 'Canceled';
}
