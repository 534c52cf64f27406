/** Makes due again what an invoice billed: its periods and its usage windows. */
import type { Tx } from '../../connection/tenancy.ts';

/** The pointers of its lines move back to its periods. */
export function voidPeriods(tx: Tx, invoiceId: number, now: Date): void {
  tx.send(
    `with voided as (
       update billed_period set voided_at = $3
       where tenant_id = $1 and invoice_id = $2 and voided_at is null
       returning order_line_id, period_index)
     update order_line l set next_period_index = least(l.next_period_index, v.period_index)
     from (select order_line_id, min(period_index) as period_index from voided group by 1) v
     where l.tenant_id = $1 and l.id = v.order_line_id`,
    [tx.tenantId, invoiceId, now],
    'void-periods',
  );
}

/** Keeps uploads from the windows that an invoice billed, so that none corrects their records. */
export function lockWindowsOf(tx: Tx, invoiceId: number): void {
  tx.send(
    `select from usage_window where tenant_id = $1 and invoice_id = $2
     order by order_line_id, period_index for update`,
    [tx.tenantId, invoiceId],
    'lock-windows-of-invoice',
  );
}

/** Records `r` of windows `w` of an invoice, with corrections `k` in windows `kw` that are open. */
const openCorrections = `usage_window w
  join activity k on k.tenant_id = $1 and k.order_line_id = w.order_line_id and k.corrects_billed
  join activity r on r.tenant_id = $1 and r.id = k.corrects_id and r.window_id = w.id
  join usage_window kw on kw.tenant_id = $1 and kw.id = k.window_id and kw.closed_at is null
  where w.tenant_id = $1 and w.invoice_id = $2`;

/** Whether records that an invoice billed have corrections that are not billed yet. */
export async function hasOpenCorrections(tx: Tx, invoiceId: number): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    `select exists (select from ${openCorrections}) as found`,
    [tx.tenantId, invoiceId],
    'open-corrections-of-invoice',
  );
  return row?.found ?? false;
}

/**
 * Opens the windows that an invoice billed, and moves the pointers of their lines back to them. Their
 * records are Unbilled again, so corrections that are not billed either count with them. The windows
 * must be locked.
 */
export function reopenWindows(tx: Tx, invoiceId: number): void {
  tx.send(
    `update activity a set window_id = f.window_id, corrects_billed = false,
       corrected_percent = null, amount_is_share = a.amount_is_share and f.has_amount,
       amount = case when a.amount_is_share and not f.has_amount then null else a.amount end
     from (select k.id, r.window_id, r.amount is not null as has_amount from ${openCorrections}) f
     where a.tenant_id = $1 and a.id = f.id`,
    [tx.tenantId, invoiceId],
    'join-open-corrections',
  );
  tx.send(
    `with opened as (
       update usage_window set closed_at = null, invoice_id = null, billed_from = null,
         billed_to = null, of_period = null, corrects_plainly = false, quantity = null,
         amount = null,
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
