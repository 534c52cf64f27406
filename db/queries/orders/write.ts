/** Inserts an order, which takes its number in the same statement, and its lines. */
import type { Decimal, IsoDate, OrderStatus, TermUnit } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface OrderInsert {
  readonly status: OrderStatus;
  readonly customer_id: number;
  readonly plan_id: number;
  readonly currency: string;
  readonly start_date: IsoDate;
  readonly end_date: IsoDate | null;
  readonly term_start: IsoDate;
  readonly term_first_end: IsoDate | null;
  readonly is_auto_renew: boolean;
  readonly anchor: IsoDate;
  readonly separate_invoice: 0 | 1 | 2;
  readonly job_code: string | null;
  readonly is_auto_pay: boolean;
  readonly due_date_value: number | null;
  readonly due_date_units: TermUnit | null;
  readonly invoice_text: string | null;
  readonly invoice_notes: string | null;
  readonly notes: string | null;
  readonly next_billable_date: IsoDate | null;
  readonly bill_on: IsoDate | null;
  readonly transition_on: IsoDate | null;
  /** Made without line items, so penalties are added when they are due. */
  readonly takes_penalties: boolean;
}

export interface OrderLineInsert {
  readonly id: number;
  readonly order_id: number;
  readonly position: number;
  readonly charge_id: number;
  readonly quantity: Decimal;
  readonly unit_price: Decimal | null;
  readonly invoice_text: string | null;
  readonly is_active: boolean;
  readonly next_period_index: number;
}

/** Locks the counter of order numbers until the commit. */
export function insertOrder(tx: Tx, id: number, order: OrderInsert, now: Date): void {
  tx.send(
    `with taken as (
       update counter set next = next + 1 where tenant_id = $1 and kind = 'order'
       returning next - 1 as number)
     insert into subscription_order (tenant_id, id, order_number, status, customer_id, plan_id,
       currency, start_date, end_date, term_start, term_first_end, is_auto_renew, anchor,
       separate_invoice, job_code, is_auto_pay, due_date_value, due_date_units, invoice_text,
       invoice_notes, notes, next_billable_date, bill_on, transition_on, takes_penalties,
       created_at, updated_at)
     select $1, $2, taken.number, r.*, $4, $4
     from taken, json_to_record($3) as r(status text, customer_id bigint, plan_id bigint,
       currency text, start_date date, end_date date, term_start date, term_first_end date,
       is_auto_renew boolean, anchor date, separate_invoice smallint, job_code text,
       is_auto_pay boolean, due_date_value int, due_date_units text, invoice_text text,
       invoice_notes text, notes text, next_billable_date date, bill_on date, transition_on date,
       takes_penalties boolean)`,
    [tx.tenantId, id, JSON.stringify(order), now],
    'insert-order',
  );
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

export function insertOrderLines(tx: Tx, rows: readonly OrderLineInsert[], now: Date): void {
  if (rows.length === 0) return;
  tx.send(
    `insert into order_line (tenant_id, id, order_id, position, charge_id, quantity, unit_price,
       invoice_text, is_active, next_period_index, created_at, updated_at)
     select $1, r.*, $3, $3 from json_to_recordset($2) as r(id bigint, order_id bigint,
       position int, charge_id bigint, quantity numeric, unit_price numeric, invoice_text text,
       is_active boolean, next_period_index int)`,
    [tx.tenantId, JSON.stringify(rows), now],
    'insert-order-lines',
  );
}
