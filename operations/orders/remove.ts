/** Removes an order that was never billed, because a new order takes its place. */
import { DomainError, type DomainErrorOptions } from '../../domain/errors.ts';
import type { OrderRow } from '../../db/queries/billing/load.ts';
import { deleteOrder } from '../../db/queries/orders/write.ts';
import { hasUsage, lockUsage } from '../../db/queries/usage/lines.ts';
import type { OperationContext } from '../context/context.ts';
import { noteRemoved } from '../events/raise.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { awaitsChange } from '../../domain/billing/order-to-rate.ts';
import { wasBilled } from './aggregate.ts';

type Removable = Pick<OrderRow, 'id' | 'orderNumber' | 'status' | 'changeOn' | 'previousOrderId'>;

/** An order that is no longer there; the order that takes its place names it. */
export interface RemovedOrder {
  readonly id: number;
  /** No order gets it again. */
  readonly number: number;
}

const removableStatuses = new Set(['Active', 'Draft', 'Provisioning']);

/**
 * Throws order.changePending, order.notChangeable or order.billed for an order that has to stay.
 *
 * @param addressed the parameter that names the order, and its value
 */
export async function refuseRemoval(
  reader: Pick<OperationContext, 'tx'>,
  order: Removable,
  addressed: DomainErrorOptions,
): Promise<void> {
  const { id, orderNumber: number, status } = order;
  if (order.changeOn !== null || awaitsChange(order)) {
    const message = `order ${number} is part of a change that has not taken effect yet`;
    throw new DomainError('order.changePending', message, addressed);
  }
  if (!removableStatuses.has(status)) {
    const message = `order ${number} is ${status}, so no order can take its place`;
    throw new DomainError('order.notChangeable', message, addressed);
  }
  const [isBilled, isUsed] = await Promise.all([wasBilled(reader, id), hasUsage(reader.tx, id)]);
  if (!isBilled && !isUsed) return;
  const what = isBilled ? 'billed periods or invoices' : 'usage records';
  const message = `order ${number} has ${what}, so it cannot be deleted`;
  throw new DomainError('order.billed', message, { path: 'deleteCurrentOrder', value: 'true' });
}

/**
 * Removes the order with all that only it owns, under its customer's lock; throws as
 * `refuseRemoval`. The transaction must then store the order that takes its place (`inPlaceOf` of
 * storeOrder): the insert takes the counter of numbers last, and records the removed number there.
 */
export async function removeOrder(
  context: OperationContext,
  order: Removable,
  addressed: DomainErrorOptions,
): Promise<RemovedOrder> {
  lockUsage(context.tx, order.id);
  await refuseRemoval(context, order, addressed);
  const { id, orderNumber: number } = order;
  deleteOrder(context.tx, id);
  // Its events stay, and get their numbers; a mail of it finds nothing to speak of.
  noteRemoved(context.tx, id);
  enqueue(context, [{ kind: 'order', objectId: id }]);
  return { id, number };
}
