/** Invariants of allocations: both sides agree, and no money is unallocated beside a debt. */
import { enteredOf } from '../../db/queries/context/invoices.ts';
import { customerOf, invoiceOf, type Check } from './check.ts';

export const applicationChecks: readonly Check[] = [
  {
    name: 'invoice.applied',
    rule: 'The amounts applied to an invoice and its open balance add up to what it owes.',
    sql: `
      with applied as (
        select invoice_id as id, sum(amount_applied) as amount from invoice_payment
        where tenant_id = $1 and invoice_id is not null group by 1)
      select ${invoiceOf('i')} as object,
             i.status || ' over ' || trim_scale(${enteredOf('i')}) || ', open '
               || trim_scale(i.outstanding_balance) || ', applied '
               || trim_scale(coalesce(a.amount, 0)) as detail
      from invoice i left join applied a on a.id = i.id
      where i.tenant_id = $1 and i.status <> 'CarriedOver'
        and i.outstanding_balance + coalesce(a.amount, 0)
        <> case when i.status = 'Cancelled' then 0 else greatest(${enteredOf('i')}, 0) end
      order by i.invoice_number, i.id`,
  },
  {
    name: 'application.owner',
    rule: 'An application, its payment and its debt have the same customer and currency.',
    sql: `
      select 'application ' || a.id as object,
             'of customer ' || a.customer_id || ', money of ' || ${customerOf('p')}
               || ', applied to what ' || ${customerOf('o')} || ' owes' as detail
      from invoice_payment a join payment p on p.tenant_id = $1 and p.id = a.payment_id
      join lateral (
        select customer_id, currency from invoice i where i.tenant_id = $1 and i.id = a.invoice_id
        union all
        select customer_id, currency from payment d where d.tenant_id = $1 and d.id = a.debit_id
      ) o on true
      where a.tenant_id = $1 and (p.customer_id <> o.customer_id or p.currency <> o.currency
        or a.customer_id <> p.customer_id) order by a.id`,
  },
  {
    name: 'application.chain',
    rule: 'balanceRemaining of an application is what was left of the payment after it.',
    // Ids come from one sequence and are written under the customer's lock, so they give the order
    // of events.
    sql: `
      with events as (
        select payment_id, id, -amount_applied as change, balance_remaining
        from invoice_payment where tenant_id = $1
        union all
        select s.payment_id, l.id, -s.amount, null from refund_share s
        join ledger_entry l on l.tenant_id = $1 and l.payment_id = s.refund_id and l.kind = 'refund'
        where s.tenant_id = $1 and s.status = 'Paid'
        union all
        select w.payment_id, l.id, -w.entered, null from payment_withdrawal w
        join ledger_entry l on l.tenant_id = $1 and l.withdrawal_id = w.id
        where w.tenant_id = $1),
      running as (
        select *, sum(change) over (partition by payment_id order by id) as total from events)
      select 'application ' || r.id as object,
             'balanceRemaining ' || trim_scale(r.balance_remaining) || ', should be '
               || trim_scale(p.amount - p.surcharge + r.total) as detail
      from running r join payment p on p.tenant_id = $1 and p.id = r.payment_id
      where r.balance_remaining <> p.amount - p.surcharge + r.total order by r.id`,
  },
  {
    name: 'payment.idle',
    rule: 'No customer has unapplied money and an open invoice or debit in the same currency.',
    // Amounts that pending refunds take do not count as unapplied.
    sql: `
      with going as (
        select s.payment_id as id, sum(s.amount) as going from refund_share s
        join payment r on r.tenant_id = $1 and r.id = s.refund_id and r.status = 'Pending'
        where s.tenant_id = $1 and s.status <> 'Declined' group by 1),
      owed as (
        select customer_id, currency, sum(open) as open from (
          select customer_id, currency, outstanding_balance as open from invoice
          where tenant_id = $1 and status = 'Outstanding'
          union all
          select customer_id, currency, -balance from payment
          where tenant_id = $1 and balance < 0) each group by 1, 2),
      idle as (
        select p.customer_id, p.currency, sum(greatest(p.balance - coalesce(g.going, 0), 0)) as money
        from payment p left join going g on g.id = p.id
        where p.tenant_id = $1 and p.balance > 0 group by 1, 2)
      select ${customerOf('idle')} as object,
             trim_scale(money) || ' unapplied beside ' || trim_scale(open) || ' open' as detail
      from idle join owed using (customer_id, currency) where open > 0 and money > 0
      order by customer_id`,
  },
  {
    name: 'invoice.autopay',
    rule: 'Only an outstanding invoice made here has an autopay date; a payment it waits for is pending.',
    sql: `
      select ${invoiceOf('i')} as object,
             i.status || ', autopay on ' || i.autopay_on
               || coalesce(', after payment ' || i.autopay_after_payment_id, '') as detail
      from invoice i
      where i.tenant_id = $1 and i.autopay_on is not null and (i.status <> 'Outstanding'
        or i.imported_number is not null
        or (i.autopay_after_payment_id is not null and not exists (
          select from payment p where p.tenant_id = $1 and p.status = 'Pending'
            and p.cascade_id = i.autopay_after_payment_id
            and (p.phase = 'Processing' or not i.autopay_set_aside))))
      order by i.invoice_number, i.id`,
  },
];
