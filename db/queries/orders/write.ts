/** Inserts an order, which takes its number in the same statement, and its lines. */
import type { OrderStatus, TermUnit } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { insertText, inserting, only } from '../context/insertion.ts';
import type { InsertedBy, RowOf } from '../context/insertion.ts';

const orderColumns = {
  id: 'bigint',
  status: only<OrderStatus>('text'),
  customer_id: 'bigint',
  plan_id: 'bigint',
  coupon_id: 'bigint?',
  coupon_periods_before: 'int',
  currency: 'text',
  start_date: 'date',
  end_date: 'date?',
  term_start: 'date',
  term_first_end: 'date?',
  is_auto_renew: 'boolean',
  anchor: 'date',
  first_period: 'int',
  previous_order_id: 'bigint?',
  removed_order_id: 'bigint?',
  separate_invoice: only<0 | 1 | 2>('smallint'),
  job_code: 'text?',
  is_auto_pay: 'boolean',
  due_date_value: 'int?',
  due_date_units: only<TermUnit | null>('text'),
  invoice_text: 'text?',
  invoice_notes: 'text?',
  notes: 'text?',
  next_billable_date: 'date?',
  bill_on: 'date?',
  transition_on: 'date?',
  /** Made without line items, so penalties are added when they are due. */
  takes_penalties: 'boolean',
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
    values: { order_number: '(select number from taken)', created_at: '$3', updated_at: '$3' },
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
    order_id: 'bigint',
    position: 'int',
    charge_id: 'bigint',
    quantity: 'numeric',
    unit_price: 'numeric?',
    invoice_text: 'text?',
    is_active: 'boolean',
    starts_on: 'date?',
    next_period_index: 'int',
    penalty_since: 'date?',
  },
  at: { created_at: 'now', updated_at: 'now' },
});

export type OrderLineInsert = InsertedBy<typeof insertOrderLines>;
