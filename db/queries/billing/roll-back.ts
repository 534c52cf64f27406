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

/** Opens the windows that an invoice billed, and moves the pointers of their lines back to them. */
export function reopenWindows(tx: Tx, invoiceId: number): void {
  tx.send(
    `with opened as (
       update usage_window set closed_at = null, invoice_id = null, billed_from = null,
         billed_to = null, of_period = null, quantity = null, amount = null,
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
