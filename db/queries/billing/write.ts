/** Writes the result of a billing batch in one statement per table. */
import type { ChargeKind } from '../../../domain/billing/kinds.ts';
import type { BillingPeriod, Decimal, IsoDate, InvoiceStatus } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { updateOrders, type OrderUpdate } from '../standing/advance.ts';

export interface InvoiceInsert {
  readonly id: number;
  readonly status: InvoiceStatus;
  readonly customer_id: number;
  readonly currency: string;
  readonly invoice_date: IsoDate;
  readonly due_date: IsoDate;
  readonly billing_start_date: IsoDate | null;
  readonly billing_end_date: IsoDate | null;
  readonly billing_period: BillingPeriod | null;
  readonly previous_balance: Decimal;
  readonly payments_and_adjustments: Decimal;
  readonly current_amount_due: Decimal;
  readonly total_due: Decimal;
  readonly outstanding_balance: Decimal;
  readonly is_auto_pay: boolean;
  /** The day from which autopay pays it; null without autopay. */
  readonly autopay_on: IsoDate | null;
  /** The order whose workflow pays it; null for an invoice made by hand. */
  readonly autopay_order_id: number | null;
  /** The payment whose generateInvoice made it. */
  readonly autopay_after_payment_id: number | null;
  readonly notes: string | null;
}

export interface LineInsert {
  readonly id: number;
  readonly invoice_id: number;
  readonly position: number;
  readonly order_id: number | null;
  readonly contract_code: string | null;
  readonly invoice_text: string | null;
  readonly billing_start_date: IsoDate | null;
  readonly billing_end_date: IsoDate | null;
  readonly line_amount_total: Decimal;
}

export interface ChargeInsert {
  readonly invoice_line_id: number;
  readonly position: number;
  readonly kind: ChargeKind;
  readonly order_line_id: number | null;
  readonly charge_id: number | null;
  readonly pricing_tier_id: number | null;
  readonly billed_period_id: number | null;
  readonly price_code: string | null;
  readonly accounting_code: string | null;
  readonly invoice_text: string | null;
  readonly is_percent: boolean;
  readonly billing_start_date: IsoDate | null;
  readonly billing_end_date: IsoDate | null;
  readonly charge_date: IsoDate;
  readonly unit_price: Decimal | null;
  readonly quantity: Decimal | null;
  readonly unit_of_measure: string | null;
  readonly amount: Decimal;
}

export interface BilledPeriodInsert {
  readonly id: number;
  readonly order_line_id: number;
  readonly charge_id: number;
  readonly period_index: number;
  readonly segment: number;
  readonly billed_from: IsoDate;
  readonly billed_to: IsoDate;
  /** Null if the period was billed without an invoice. */
  readonly invoice_id: number | null;
}

export interface LedgerInsert {
  readonly customer_id: number;
  readonly currency: string;
  readonly kind: 'invoice' | 'invoiceCancelled';
  readonly amount: Decimal;
  readonly invoice_id: number;
}

export interface BalanceUpsert {
  readonly customer_id: number;
  readonly currency: string;
  readonly balance: Decimal;
  readonly last_total_due: Decimal;
}

export interface BillingWrite {
  readonly periods: readonly BilledPeriodInsert[];
  readonly lines: readonly LineInsert[];
  readonly charges: readonly ChargeInsert[];
  readonly ledger: readonly LedgerInsert[];
  readonly balances: readonly BalanceUpsert[];
  readonly orders: readonly OrderUpdate[];
  readonly pointers: readonly { readonly id: number; readonly next_period_index: number }[];
  /** Ordered by number. */
  readonly invoices: readonly InvoiceInsert[];
}

/** Ids for rows that other rows of the same batch refer to; they may have gaps. */
export async function takeIds(tx: Tx, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.query<{ id: number }>(
    `select nextval('id_seq') as id from generate_series(1, $1)`,
    [count],
    'take-ids',
  );
  return rows.map((row) => row.id);
}

/**
 * Writes what takes a number last, and together with the next statement of the transaction: the
 * counters stay locked until commit, so no round trip may come in between.
 * @param insertNewOrder inserts the order that is made with these invoices
 */
export function writeBilling(
  tx: Tx,
  write: BillingWrite,
  at: { readonly now: Date; readonly today: IsoDate },
  insertNewOrder: () => void = () => undefined,
): void {
  if (write.periods.length > 0) insertPeriods(tx, write.periods);
  if (write.lines.length > 0) insertLines(tx, write.lines);
  if (write.charges.length > 0) insertCharges(tx, write.charges);
  if (write.ledger.length > 0) insertLedger(tx, write.ledger, at);
  if (write.balances.length > 0) upsertBalances(tx, write.balances);
  if (write.pointers.length > 0) movePointers(tx, write.pointers);
  insertNewOrder();
  if (write.orders.length > 0) updateOrders(tx, write.orders, at.now);
  if (write.invoices.length > 0) insertInvoices(tx, write.invoices, at.now);
}

function insertPeriods(tx: Tx, rows: readonly BilledPeriodInsert[]): void {
  tx.send(
    `insert into billed_period
       (tenant_id, id, order_line_id, charge_id, period_index, segment, billed_from, billed_to, invoice_id)
     select $1, r.* from json_to_recordset($2) as r(id bigint, order_line_id bigint,
       charge_id bigint, period_index int, segment smallint, billed_from date, billed_to date,
       invoice_id bigint)`,
    [tx.tenantId, JSON.stringify(rows)],
    'insert-periods',
  );
}

export function insertLines(tx: Tx, rows: readonly LineInsert[]): void {
  tx.send(
    `insert into invoice_line (tenant_id, id, invoice_id, position, order_id, contract_code,
       invoice_text, billing_start_date, billing_end_date, line_amount_total)
     select $1, r.* from json_to_recordset($2) as r(id bigint, invoice_id bigint, position int,
       order_id bigint, contract_code text, invoice_text text, billing_start_date date,
       billing_end_date date, line_amount_total numeric)`,
    [tx.tenantId, JSON.stringify(rows)],
    'insert-lines',
  );
}

export function insertCharges(tx: Tx, rows: readonly ChargeInsert[]): void {
  tx.send(
    `insert into invoice_charge (tenant_id, invoice_line_id, position, kind, order_line_id,
       charge_id, pricing_tier_id, billed_period_id, price_code, accounting_code, invoice_text,
       is_percent, billing_start_date, billing_end_date, charge_date, unit_price, quantity,
       unit_of_measure, amount)
     select $1, r.* from json_to_recordset($2) as r(invoice_line_id bigint, position int,
       kind text, order_line_id bigint, charge_id bigint, pricing_tier_id bigint, billed_period_id bigint,
       price_code text, accounting_code text, invoice_text text, is_percent boolean,
       billing_start_date date, billing_end_date date, charge_date date, unit_price numeric,
       quantity numeric, unit_of_measure text, amount numeric)`,
    [tx.tenantId, JSON.stringify(rows)],
    'insert-charges',
  );
}

export function insertLedger(
  tx: Tx,
  rows: readonly LedgerInsert[],
  at: { readonly now: Date; readonly today: IsoDate },
): void {
  tx.send(
    `insert into ledger_entry
       (tenant_id, customer_id, currency, kind, amount, invoice_id, entered_on, entered_at)
     select $1, r.*, $3, $4 from json_to_recordset($2) as r(customer_id bigint, currency text,
       kind text, amount numeric, invoice_id bigint)`,
    [tx.tenantId, JSON.stringify(rows), at.today, at.now],
    'insert-ledger',
  );
}

export function upsertBalances(tx: Tx, rows: readonly BalanceUpsert[]): void {
  tx.send(
    `insert into customer_balance (tenant_id, customer_id, currency, balance, last_total_due)
     select $1, r.* from json_to_recordset($2) as r(customer_id bigint, currency text,
       balance numeric, last_total_due numeric)
     on conflict (tenant_id, customer_id, currency) do update
       set balance = excluded.balance, last_total_due = excluded.last_total_due`,
    [tx.tenantId, JSON.stringify(rows)],
    'upsert-balances',
  );
}

function movePointers(tx: Tx, rows: BillingWrite['pointers']): void {
  tx.send(
    `update order_line l set next_period_index = r.next_period_index,
       penalty_since = case when l.penalty_since is not null and not exists (
         select from plan_charge g where g.tenant_id = l.tenant_id and g.id = l.charge_id
           and g.charge_type = 'OneTimeCharge') then l.penalty_since end
     from json_to_recordset($2) as r(id bigint, next_period_index int)
     where l.tenant_id = $1 and l.id = r.id`,
    [tx.tenantId, JSON.stringify(rows)],
    'move-pointers',
  );
}

export function insertInvoices(tx: Tx, rows: readonly InvoiceInsert[], now: Date): void {
  const numbered = rows.map((row, place) => ({ ...row, place }));
  tx.send(
    `with taken as (
       update counter set next = next + $3 where tenant_id = $1 and kind = 'invoice'
       returning next - $3 as first)
     insert into invoice (tenant_id, id, invoice_number, status, customer_id, currency,
       invoice_date, due_date, billing_start_date, billing_end_date, billing_period,
       previous_balance, payments_and_adjustments, current_amount_due, total_due,
       outstanding_balance, is_auto_pay, autopay_on, autopay_order_id, autopay_after_payment_id,
       notes, created_at, updated_at)
     select $1, r.id, taken.first + r.place, r.status, r.customer_id, r.currency,
       r.invoice_date, r.due_date, r.billing_start_date, r.billing_end_date, r.billing_period,
       r.previous_balance, r.payments_and_adjustments, r.current_amount_due, r.total_due,
       r.outstanding_balance, r.is_auto_pay, r.autopay_on, r.autopay_order_id,
       r.autopay_after_payment_id, r.notes, $4, $4
     from taken, json_to_recordset($2) as r(id bigint, place int, status text,
       customer_id bigint, currency text, invoice_date date, due_date date,
       billing_start_date date, billing_end_date date, billing_period text,
       previous_balance numeric, payments_and_adjustments numeric, current_amount_due numeric,
       total_due numeric, outstanding_balance numeric, is_auto_pay boolean, autopay_on date,
       autopay_order_id bigint, autopay_after_payment_id bigint, notes text)`,
    [tx.tenantId, JSON.stringify(numbered), rows.length, now],
    'insert-invoices',
  );
}
