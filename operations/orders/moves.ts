/** The moves of an order from status to status that a caller asks for, and where each leaves it. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import {
  type OrderStatus,
  assertTransition,
  lastDayIfCancelled,
} from '../../domain/standing/status.ts';
import { Customer, ServicePause } from '../../db/entities/customers.ts';
import type { SubscriptionOrder } from '../../db/entities/orders.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { startingStatus } from '../../domain/orders/terms.ts';
import type { OperationContext } from '../context/context.ts';
import { awaitsChange } from '../../domain/billing/order-to-rate.ts';
import { changeToday, endChange } from './pending.ts';

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
  const terms = {
    status: order.status,
    startDate: order.startDate,
    endDate: order.endDate ?? null,
    isAutoRenew: order.isAutoRenew,
    termStart: order.termStart,
    termFirstEnd: order.termFirstEnd ?? null,
    awaitsChange: awaitsChange({
      status: order.status,
      previousOrderId: order.previousOrderId ?? null,
    }),
  };
  order.endedOn = lastDayIfCancelled(terms, today);
  order.endDate = order.endedOn;
  order.status = 'Canceled';
}
