/**
 * The one reading of what was billed, periods and usage windows alike: the view `billed` says which
 * line was billed from which day to which, by which invoice, and whether that stands. `of_period` is
 * the order's period that has it: late usage of an ended line is of the line's last period.
 */

/** Whether `b` stands of a line `l`: `order_line l join billed b on ${standsOf('l')}`. */
export const standsOf = (line: string): string =>
  `b.tenant_id = ${line}.tenant_id and b.order_line_id = ${line}.id and b.stands`;

/** Whether `b` is what a charge `c` bills or discounts, or once did; of other charges none is. */
export const isOf = (charge: string): string =>
  `b.tenant_id = ${charge}.tenant_id
    and b.id = case when ${charge}.billed_period_id is null
      then ${charge}.usage_window_id else ${charge}.billed_period_id end`;

/**
 * Whether `b` stands by an invoice: a window that was opened again keeps the charges of the invoice
 * that no longer bills it.
 */
export const standsBy = (invoiceId: string): string => `b.stands and b.invoice_id = ${invoiceId}`;

/** The discounts of a coupon on what stands as `b`, one probe each. */
export const discountsOf = (couponId: string): string => `(
  select d.id, d.amount from invoice_charge d
  where d.tenant_id = b.tenant_id and d.billed_period_id = b.id and d.coupon_id = ${couponId}
  union all
  select d.id, d.amount from invoice_charge d
  join invoice_line n on n.tenant_id = d.tenant_id and n.id = d.invoice_line_id
   and n.invoice_id = b.invoice_id
  where b.is_usage and d.tenant_id = b.tenant_id and d.usage_window_id = b.id
    and d.coupon_id = ${couponId})`;
