/** The condition of autopay invoices, for the agenda, the claim, the wake and the audit. */
import type { IsoDate } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';

/**
 * The invoice has a payment day, and was not made for a payment that is still pending; in that case
 * it waits for the payment's outcome. Its customer has no enabled payment plan, whose installments
 * pay meanwhile.
 */
export function paysItself(invoice: string): string {
  return `${invoice}.autopay_on is not null and ${invoice}.autopay_after_payment_id is null
    and not ${hasEnabledPlan(invoice)}`;
}

/** The condition that the customer of a row has an enabled payment plan. */
export function hasEnabledPlan(of: string): string {
  return `exists (select from payment_plan own_plan
    where own_plan.tenant_id = ${of}.tenant_id and own_plan.customer_id = ${of}.customer_id
      and own_plan.is_enabled)`;
}

/**
 * Ends the retries of invoices that are no longer open, before their turn. An invoice that is
 * opened again is not retried.
 */
export function endRetriesOfClosed(
  tx: Tx,
  invoiceIds: readonly number[],
  at: { readonly now: Date; readonly today: IsoDate },
): void {
  if (invoiceIds.length === 0) return;
  tx.send(
    `update collection_attempt a
     set state = 'ended', outcome = 'overtaken', concluded_on = $3, updated_at = $4
     from invoice i
     where a.tenant_id = $1 and a.invoice_id = any($2) and a.state = 'due'
       and i.tenant_id = a.tenant_id and i.id = a.invoice_id and i.status <> 'Outstanding'`,
    [tx.tenantId, invoiceIds, at.today, at.now],
    'end-retries-of-closed',
  );
}
