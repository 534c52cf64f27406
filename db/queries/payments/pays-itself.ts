/** Which invoices pay themselves: one condition for the agenda, the claim, the wake and the audit. */

/**
 * It has a day of payment, and was not made for a payment that is still under way: that one waits
 * for how the payment ends.
 */
export function paysItself(invoice: string): string {
  return `${invoice}.autopay_on is not null and ${invoice}.autopay_after_payment_id is null`;
}
