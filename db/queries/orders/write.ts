/** Inserts an order, which takes its number in the same statement, and its lines. */
import type { CheckedTerms } from '../../../domain/orders/terms.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { OrderLine, SubscriptionOrder } from '../../entities/orders.ts';
import type { RowOf } from '../../entities/rows.ts';
import { insertText, inserting, type InsertedBy } from '../context/insertion.ts';

const orderColumns = [
  'id',
  'status',
  'customerId',
  'planId',
  'couponId',
  'couponPeriodsBefore',
  'currency',
  'startDate',
  'trialEndDate',
  'trialDays',
  'endDate',
  'termStart',
  'termFirstEnd',
  'isAutoRenew',
  'cancelReason',
  'keptAutoRenew',
  'keptEndDate',
  'billedThrough',
  'arrearsBilledThrough',
  'anchor',
  'firstPeriod',
  'previousOrderId',
  'removedOrderId',
  'separateInvoice',
  'jobCode',
  'purchaseOrder',
  'isAutoPay',
  'dueDateValue',
  'dueDateUnits',
  'invoiceText',
  'invoiceNotes',
  'notes',
  'metadata',
  'nextBillableDate',
  'billOn',
  'transitionOn',
  'priceChangeOn',
  'earlierPrices',
  /** Made without line items, so penalties are added when they are due. */
  'takesPenalties',
] as const;

/** An aggregate may hold another number until its terms are checked. */
export type OrderInsert = RowOf<typeof SubscriptionOrder, (typeof orderColumns)[number]> &
  Pick<CheckedTerms, 'separateInvoice'>;

const insertOrderText = `with taken as (
    update counter set next = next + 1, skipped = case when $4::bigint is null then skipped
      else skipped + int8multirange(int8range($4, $4 + 1)) end
    where tenant_id = $1 and kind = 'order'
    returning next - 1 as number)
  ${insertText({
    into: SubscriptionOrder,
    columns: orderColumns,
    values: { orderNumber: '(select number from taken)', createdAt: '$3', updatedAt: '$3' },
  })}`;

/**
 * Locks the counter of order numbers until the commit.
 * @param removedNumber of the order whose place it takes: no order has that number any more
 */
export function insertOrder(
  tx: Tx,
  order: OrderInsert,
  now: Date,
  removedNumber: number | null = null,
): void {
  const values = [tx.tenantId, JSON.stringify([order]), now, removedNumber];
  tx.send(insertOrderText, values, 'insert-order');
}

/** Lets this transaction insert lines of orders and invoices before their order. */
export function allowLinesBeforeOrder(tx: Tx): void {
  tx.send(
    `set constraints order_line_tenant_id_order_id_fkey, invoice_line_tenant_id_order_id_fkey
     deferred`,
    [],
    'lines-before-order',
  );
}

export const insertOrderLines = inserting('insert-order-lines', {
  into: OrderLine,
  columns: [
    'id',
    'orderId',
    'position',
    'chargeId',
    'quantity',
    'unitPrice',
    'invoiceText',
    'isActive',
    'startsOn',
    'nextPeriodIndex',
    'penaltySince',
  ],
  at: { createdAt: 'now', updatedAt: 'now' },
});

export type OrderLineInsert = InsertedBy<typeof insertOrderLines>;

/* Deletes an order, and finds the order that took its place. */

/**
 * Its lines and pauses go with it by their foreign keys. What a test clock knows of its workflow has
 * no key, as it is of objects of any kind.
 */
export function deleteOrder(tx: Tx, id: number): void {
  tx.send(
    `with seen as (
       delete from workflow_seen where tenant_id = $1 and kind = 'order' and object_id = $2),
     unseen as (
       delete from workflow_unseen where tenant_id = $1 and kind = 'order' and object_id = $2)
     delete from subscription_order where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
    'delete-order',
  );
}

/** The number of the order that took the place of a removed one; null if there is none. */
export async function numberInPlaceOf(tx: Tx, removedId: number): Promise<number | null> {
  const [row] = await tx.query<{ number: number }>(
    `select order_number as number from subscription_order
     where tenant_id = $1 and removed_order_id = $2`,
    [tx.tenantId, removedId],
    'order-in-place-of',
  );
  return row?.number ?? null;
}
