/** The condition of autopay invoices, for the agenda, the claim, the wake and the audit. */

/**
 * The invoice has a payment day, and was not made for a payment that is still pending; in that case
 * it waits for the payment's outcome.
 */
export function paysItself(invoice: string): string {
  return `${invoice}.autopay_on is not null and ${invoice}.autopay_after_payment_id is null`;
}
