/** Closes usage windows that were billed, or passed without records, and opens them again. */
import type { Decimal } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { WindowKey } from './usage-windows.ts';

/** What becomes of a window: closed, with what it was billed for, or without records. */
export interface WindowClose extends WindowKey {
  readonly billed: BilledWindow | null;
}

export interface BilledWindow {
  readonly invoiceId: number;
  readonly quantity: Decimal;
  readonly amount: Decimal;
  readonly percent: Decimal | null;
  /** Null if no record is priced by its quantity. */
  readonly shared: SharedWindow | null;
}

export interface SharedWindow {
  readonly quantity: Decimal;
  readonly amount: Decimal;
  /** Of the currency. */
  readonly digits: number;
  readonly lastId: number;
}

/** The last record takes what the rounded shares of all others leave. @see lastAmountOf */
export function closeWindows(tx: Tx, windows: readonly WindowClose[], now: Date): void {
  if (windows.length === 0) return;
  tx.send(
    `update usage_window w set closed_at = $3, invoice_id = r."invoiceId", quantity = r.quantity,
       amount = r.amount, percent = r.percent, shared_quantity = r."sharedQuantity",
       shared_amount = r."sharedAmount", last_activity_id = r."lastId",
       last_amount = r."sharedAmount" - round((rounded.sum
         - (select usage_share(m.amount, l.quantity, r."sharedQuantity")
            from activity l where l.tenant_id = $1 and l.id = r."lastId")) / m.unit, r.digits)
     from json_to_recordset($2) as r("lineId" bigint, "periodIndex" int, "invoiceId" bigint,
       quantity numeric, amount numeric, percent numeric, "sharedQuantity" numeric,
       "sharedAmount" numeric, digits int, "lastId" bigint)
     join usage_window k on k.tenant_id = $1 and k.order_line_id = r."lineId"
       and k.period_index = r."periodIndex"
     cross join lateral (select 10::numeric ^ r.digits as unit,
       r."sharedAmount" * 10::numeric ^ r.digits as amount) m
     cross join lateral (
       select sum(g.count * usage_share(m.amount, g.quantity, r."sharedQuantity"))
       from (select a.quantity, count(*) from activity a
             where r."lastId" is not null and a.tenant_id = $1 and a.window_id = k.id
               and a.amount is null
             group by a.quantity) g) rounded
     where w.tenant_id = $1 and w.id = k.id`,
    [tx.tenantId, JSON.stringify(windows.map(columnsOf)), now],
    'close-usage-windows',
  );
}

function columnsOf({ lineId, periodIndex, billed }: WindowClose) {
  if (billed === null) return { lineId, periodIndex };
  const { shared, ...sums } = billed;
  return {
    lineId,
    periodIndex,
    ...sums,
    sharedQuantity: shared?.quantity ?? null,
    sharedAmount: shared?.amount ?? null,
    digits: shared?.digits ?? null,
    lastId: shared?.lastId ?? null,
  };
}

/** Opens the windows that an invoice billed, and moves the pointers of their lines back to them. */
export function reopenWindows(tx: Tx, invoiceId: number): void {
  tx.send(
    `with opened as (
       update usage_window set closed_at = null, invoice_id = null, quantity = null, amount = null,
         percent = null, shared_quantity = null, shared_amount = null, last_activity_id = null,
         last_amount = null
       where tenant_id = $1 and invoice_id = $2 returning order_line_id, period_index)
     update order_line l set next_period_index = least(l.next_period_index, o.period_index)
     from (select order_line_id, min(period_index) as period_index from opened group by 1) o
     where l.tenant_id = $1 and l.id = o.order_line_id`,
    [tx.tenantId, invoiceId],
    'reopen-usage-windows',
  );
}
