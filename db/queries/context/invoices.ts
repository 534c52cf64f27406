/** How statements know what an invoice owes, and what people may see of it. */

/** Of a credit note the number of the invoice of which it gives back; null of any other. */
export const noteOf = (invoice: string): string =>
  `(select original.invoice_number from invoice original
    where original.tenant_id = ${invoice}.tenant_id and original.id = ${invoice}.credit_note_of)`;

/**
 * What the invoice entered in the ledger, and what can be paid of it: of an imported one only what
 * was still open when it was moved in.
 */
export const enteredOf = (invoice: string): string =>
  `case when not ${invoice}.is_imported then ${invoice}.current_amount_due
     else ${invoice}.total_due end`;

/** The day on which an import moved the invoice in; null of one made here. */
export const movedInOn = (invoice: string): string =>
  `case when ${invoice}.is_imported then (${invoice}.created_at at time zone (
     select own.timezone from tenant own where own.id = ${invoice}.tenant_id))::date end`;

/**
 * False for an invoice that a hosted sign-up under way has made, or one that has failed and has
 * cancelled it: whoever signs up may have typed the e-mail address of this customer.
 */
export const isOutsideSignups = (invoice: string): string =>
  `not exists (select from signup s where s.tenant_id = ${invoice}.tenant_id
     and s.customer_id = ${invoice}.customer_id and ${invoice}.id = any(s.invoice_ids)
     and (s.status = 'DRAFT' or s.status = 'FAILED' and ${invoice}.status = 'Cancelled'))`;

/**
 * False for a payment by which a hosted sign-up under way pays, and for one of any sign-up that has
 * paid nothing. A debit that is declined or returned once the sign-up has ended is the customer's.
 */
export const isPaidOutsideSignups = (payment: string): string =>
  `not exists (select from signup s
     join signup_try y on y.tenant_id = s.tenant_id and y.signup_id = s.id
     where s.tenant_id = ${payment}.tenant_id and s.customer_id = ${payment}.customer_id
       and y.payment_id = ${payment}.cascade_id
       and (s.status = 'DRAFT'
         or ${payment}.status in ('Declined', 'Canceled') and y.status <> 'paid'))`;

/* Conditions that see through CarriedOver, which hides the status of an invoice before. */

/** The status of an invoice, or the one that it had before it was carried over. */
export const standingStatus = (i: string): string =>
  `coalesce(${i}.carried_over_from, ${i}.status)`;

/**
 * Whether an invoice is paid in full, or was when it was carried over and nothing was taken back;
 * never null.
 */
export const isPaidInFull = (i: string): string => `(${i}.status = 'Paid'
  or (${i}.status = 'CarriedOver' and ${i}.carried_over_from = 'Paid' and ${i}.carried_open = 0))`;
