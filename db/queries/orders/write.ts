/** Inserts an order, which takes its number in the same statement, and its lines. */
import type { TermUnit } from '../../../domain/calendar/terms.ts';
import type { OrderStatus } from '../../../domain/standing/status.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { insertText, inserting, only } from '../context/insertion.ts';
import type { InsertedBy, RowOf } from '../context/insertion.ts';

const orderColumns = {
  id: 'bigint',
  status: only<OrderStatus>('text'),
  customerId: 'bigint',
  planId: 'bigint',
  couponId: 'bigint?',
  couponPeriodsBefore: 'int',
  currency: 'text',
  startDate: 'date',
  endDate: 'date?',
  termStart: 'date',
  termFirstEnd: 'date?',
  isAutoRenew: 'boolean',
  anchor: 'date',
  firstPeriod: 'int',
  previousOrderId: 'bigint?',
  removedOrderId: 'bigint?',
  separateInvoice: only<0 | 1 | 2>('smallint'),
  jobCode: 'text?',
  isAutoPay: 'boolean',
  dueDateValue: 'int?',
  dueDateUnits: only<TermUnit | null>('text'),
  invoiceText: 'text?',
  invoiceNotes: 'text?',
  notes: 'text?',
  nextBillableDate: 'date?',
  billOn: 'date?',
  transitionOn: 'date?',
  /** Made without line items, so penalties are added when they are due. */
  takesPenalties: 'boolean',
} as const;

export type OrderInsert = RowOf<typeof orderColumns>;

const insertOrderText = `with taken as (
    update counter set next = next + 1, skipped = case when $4::bigint is null then skipped
      else skipped + int8multirange(int8range($4, $4 + 1)) end
    where tenant_id = $1 and kind = 'order'
    returning next - 1 as number)
  ${insertText({
    into: 'subscription_order',
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
  into: 'order_line',
  columns: {
    id: 'bigint',
    orderId: 'bigint',
    position: 'int',
    chargeId: 'bigint',
    quantity: 'numeric',
    unitPrice: 'numeric?',
    invoiceText: 'text?',
    isActive: 'boolean',
    startsOn: 'date?',
    nextPeriodIndex: 'int',
    penaltySince: 'date?',
  },
  at: { createdAt: 'now', updatedAt: 'now' },
});

export type OrderLineInsert = InsertedBy<typeof insertOrderLines>;
