/** Decides whether an order may be changed. */
import { type OrderStatus, canEdit } from '../../domain/standing/status.ts';
import type { Reader } from '../context/listing.ts';
import type { NumberedAddress } from '../context/locks.ts';

export interface Editability {
  readonly editable: boolean;
  readonly reason: string | null;
}

/** Whether an order may be changed, and if not, why. */
export async function orderEditability(
  tx: Reader,
  address: NumberedAddress,
): Promise<Editability | undefined> {
  const byId = 'id' in address;
  const [order] = await tx.query<{ status: OrderStatus }>(
    `select status from subscription_order where ${byId ? 'id' : 'order_number'} = $1`,
    [byId ? address.id : address.number],
  );
  if (!order) return undefined;
  const editable = canEdit(order.status);
  return { editable, reason: editable ? null : `a ${order.status} order can no longer change` };
}
