/** The invariant of customers' financials, which triggers keep: they are those of the documents. */
import { standingStatus } from '../../../db/queries/context/invoices.ts';
import { type Check, customerOf } from './check.ts';

/** The day and the amount of the last row, as people read them. */
const lastOf = (day: string, amount: string, where: string): string =>
  `(array_agg(${day} || ' ' || trim_scale(${amount}) order by ${day} desc, id desc)
     filter (where ${where}))[1]`;

const isStanding = `${standingStatus('i')} <> 'Cancelled'`;
const isPaid = `payment_type = 'Payment' and status = 'Paid'`;

const kept = {
  outstandingBalance: 'trim_scale(b.outstanding_balance)::text',
  lifetimeValue: 'trim_scale(b.lifetime_value)::text',
  lastInvoice: `b.last_invoiced_date || ' ' || trim_scale(b.last_invoice_amount)`,
  unappliedBalance: 'trim_scale(b.unapplied_balance)::text',
  lifetimePayments: 'trim_scale(b.lifetime_payments)::text',
  lastPayment: `b.last_payment_date || ' ' || trim_scale(b.last_payment_amount)`,
} as const;

const zeroes: readonly string[] = [
  'outstandingBalance',
  'lifetimeValue',
  'unappliedBalance',
  'lifetimePayments',
];
const orNothing = (name: string): string => (zeroes.includes(name) ? `'0'` : `'none'`);

export const financialsChecks: readonly Check[] = [
  {
    name: 'balance.financials',
    rule: 'The financials that are kept of a customer are those of its invoices and payments.',
    sql: `
      with billed as (
        select customer_id, currency,
               trim_scale(coalesce(sum(outstanding_balance)
                 filter (where status = 'Outstanding'), 0))::text as "outstandingBalance",
               trim_scale(coalesce(sum(current_amount_due)
                 filter (where ${isStanding}), 0))::text as "lifetimeValue",
               ${lastOf('invoice_date', 'current_amount_due', isStanding)} as "lastInvoice"
        from invoice i where tenant_id = $1 group by 1, 2),
      paid as (
        select customer_id, currency,
               trim_scale(coalesce(sum(balance) filter (where balance > 0), 0))::text
                 as "unappliedBalance",
               trim_scale(coalesce(sum(case
                 when payment_type = 'Payment' and status in ('Paid', 'Refunded', 'Voided')
                   then amount - surcharge
                 when payment_type = 'Payment' and status = 'Canceled' then refunded
                 when payment_type = 'Refund' and status = 'Paid' then amount end), 0))::text
                 as "lifetimePayments",
               ${lastOf('effective_date', 'amount', isPaid)} as "lastPayment"
        from payment where tenant_id = $1 group by 1, 2),
      sides as (
        select customer_id, currency, f.*
        from (select * from customer_balance where tenant_id = $1) b
        full join billed using (customer_id, currency)
        full join paid using (customer_id, currency)
        cross join lateral (values ${Object.entries(kept)
          .map(
            ([name, value], at) =>
              `(${at}, '${name}', coalesce(${value}, ${orNothing(name)}),
                coalesce("${name}", ${orNothing(name)}))`,
          )
          .join(', ')}) f(place, name, kept, derived))
      select ${customerOf('sides')} as object,
             name || ' kept ' || kept || ', its documents say ' || derived as detail
      from sides where kept <> derived order by customer_id, currency, place`,
  },
];
