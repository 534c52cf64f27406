/** An order as one aggregate: locked by way of its customer, read through the tenant's entities. */
import { awaitsChange } from '../../domain/billing/order-to-rate.ts';
import { noRequest } from '../../domain/orders/end.ts';
import type { OrderTerms } from '../../domain/standing/status.ts';
import type { TrialDays } from '../../domain/standing/trial.ts';
import { SubscriptionOrder } from '../../db/entities/orders.ts';
import { type NumberedAddress, lockOrder, unknown } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { standsOf } from '../../db/queries/context/billed.ts';

/** Without its lines. Throws order.unknown. */
export async function loadOrder(
  { tx }: OperationContext,
  address: NumberedAddress,
): Promise<SubscriptionOrder> {
  const { id } = await lockOrder(tx, address);
  const { tenantId } = tx;
  const order = await tx.em.findOne(SubscriptionOrder, { tenantId, id }, { refresh: true });
  // Another one may have taken its place while this transaction waited for the customer.
  if (order === null) throw unknown('order', address);
  return order;
}

/** Its lines too, by their position. */
export async function loadOrderWithLines(
  context: OperationContext,
  address: NumberedAddress,
): Promise<SubscriptionOrder> {
  const order = await loadOrder(context, address);
  await order.lines.init({ orderBy: { position: 1 } });
  return order;
}

/** What decides from when it bills. */
export function trialDaysOf({ startDate, trialEndDate = null }: SubscriptionOrder): TrialDays {
  return { startDate, trialEndDate };
}

/** What decides its status from day to day. */
export function termsOfAggregate(order: SubscriptionOrder): Omit<OrderTerms, 'changeOn'> {
  const { status, startDate, isAutoRenew, termStart } = order;
  return {
    status,
    startDate,
    endDate: order.endDate ?? null,
    isAutoRenew,
    termStart,
    termFirstEnd: order.termFirstEnd ?? null,
    awaitsChange: awaitsChange({ status, previousOrderId: order.previousOrderId ?? null }),
  };
}

/* An end by request leaves the term alone, which goes on if the request is taken back. */

export function isEndRequested({ keptAutoRenew }: SubscriptionOrder): boolean {
  return keptAutoRenew != null;
}

/** Its fields if the request is taken back; null without one. */
export function withoutRequest({ keptAutoRenew, keptEndDate = null }: SubscriptionOrder) {
  if (keptAutoRenew == null) return null;
  return { ...noRequest, isAutoRenew: keptAutoRenew, endDate: keptEndDate };
}

/** The end is one as anybody may set it, which cannot be taken back. */
export function forgetRequest(order: SubscriptionOrder): void {
  Object.assign(order, noRequest);
}

/* Whether an order has billed anything, which fixes most of its fields. */

/** An order of free one-time charges also counts as billed, although it has no invoice. Windows that closed empty do not. */
export async function wasBilled(
  { tx }: Pick<OperationContext, 'tx'>,
  orderId: number,
): Promise<boolean> {
  const [row] = await tx.query<{ billed: boolean }>(
    `select exists (select from invoice_line where order_id = $1) or exists (
       select from order_line l join billed b on ${standsOf('l')} where l.order_id = $1) as billed`,
    [orderId],
    'order-was-billed',
  );
  return row?.billed ?? false;
}
