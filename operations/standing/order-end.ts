/** How a cancelled order ends. */
import type { IsoDate } from '../../domain/model.ts';
import { lastDayIfCancelled } from '../../domain/orders/status.ts';
import type { SubscriptionOrder } from '../../db/entities/index.ts';

/** A cancelled order's endDate is the day on which it ended, or empty if it never began. */
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
