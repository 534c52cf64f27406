/** An order as one aggregate: locked by way of its customer, read through the tenant's entities. */
import { SubscriptionOrder } from '../../db/entities/orders.ts';
import { lockOrder, unknown, type NumberedAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';

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
