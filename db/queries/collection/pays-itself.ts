/** The condition of autopay invoices, for the agenda, the claim, the wake and the audit. */

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
