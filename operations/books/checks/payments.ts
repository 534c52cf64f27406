/** Invariants of payments, credits and refunds: ledger entries, balances, refunded amounts. */
import { customerOf, type Check, invoiceOf } from './check.ts';
import { enteredOf } from '../../../db/queries/context/invoices.ts';
import { setAsideOf } from '../../../db/queries/payments/payments.ts';

/**
 * Money that was received, even if it was refunded later. A payment that was canceled before it was
 * charged does not count.
 */
export const cameIn = (p: string): string =>
  `${p}.payment_type = 'Payment' and (${p}.status in ('Paid', 'Voided', 'Refunded')
     or (${p}.status = 'Canceled' and (${p}.gateway is null or ${p}.charged_on is not null)))`;

/** A debit or credit that an imported customer brought with it. */
export const isOpening = (p: string): string => `exists (
  select from ledger_entry opening
  join customer owner on owner.tenant_id = $1 and owner.id = opening.customer_id
    and owner.imported_by is not null
  where opening.tenant_id = $1 and opening.payment_id = ${p}.id
    and opening.kind = 'openingBalance')`;

/** The name of a row: `payment 4711`, `credit 4712`. */
const named = (p: string): string => `lower(${p}.payment_type) || ' ' || ${p}.id`;

/** Refunded amounts by payment: `gone` by final refunds, `going` by refunds that are under way. */
const sharesByPayment = `
  select s.payment_id as id,
         coalesce(sum(s.amount) filter (where s.status = 'Paid' and r.phase is null), 0) as gone,
         coalesce(sum(s.amount) filter (where r.phase is not null), 0)
           as going,
         coalesce(bool_or(s.status = 'Paid' and s.way = 'void' and r.phase is null), false)
           as was_voided
  from refund_share s join payment r on r.tenant_id = $1 and r.id = s.refund_id
  where s.tenant_id = $1 group by 1`;

const ledger: readonly Check[] = [
  {
    name: 'ledger.payment',
    rule: 'Each payment, credit, refund, cancellation and withdrawal is entered once, at its amount.',
    sql: `
      with expected as (
        select p.id, e.kind, e.amount from payment p
        cross join lateral (values
          ('payment', p.surcharge - p.amount, true),
          ('surcharge', p.surcharge, p.surcharge <> 0),
          ('surchargePaid', -p.surcharge, p.surcharge <> 0),
          ('paymentCanceled', p.amount - p.surcharge - p.refunded - p.withdrawn,
            p.status = 'Canceled' and p.refunded + p.withdrawn < p.amount - p.surcharge)
        ) as e(kind, amount, applies)
        where p.tenant_id = $1 and e.applies and ${cameIn('p')}
        union all
        select p.id, case when ${isOpening('p')} then 'openingBalance'
                          when p.amount < 0 then 'debit' else 'credit' end, -p.amount
        from payment p
        where p.tenant_id = $1 and p.payment_type = 'Credit' and p.credited_invoice_id is null
        union all
        select id, 'refund', -amount from payment
        where tenant_id = $1 and payment_type = 'Refund' and status = 'Paid'
        union all
        select payment_id, case kind when 'return' then 'paymentReturned' else 'paymentDisputed' end,
               sum(entered)
        from payment_withdrawal where tenant_id = $1 and entered > 0 group by 1, 2),
      entered as (
        select payment_id as id, kind, sum(amount) as amount from ledger_entry
        where tenant_id = $1 and payment_id is not null group by 1, 2)
      select ${named('p')} as object,
             b.kind || ' entered ' || coalesce(trim_scale(b.entered)::text, 'not at all')
               || ', should be ' || coalesce(trim_scale(b.expected)::text, 'not at all')
               as detail
      from (select coalesce(e.id, a.id) as id, coalesce(e.kind, a.kind) as kind,
                   e.amount as expected, a.amount as entered
            from expected e full join entered a on a.id = e.id and a.kind = e.kind) b
      join payment p on p.tenant_id = $1 and p.id = b.id
      where b.expected is distinct from b.entered order by b.id, b.kind`,
  },
  {
    name: 'ledger.owner',
    rule: 'A ledger entry has the customer and currency of its payment or invoice.',
    sql: `
      select 'ledger entry ' || l.id as object,
             ${customerOf('l')} || ', but its object is of ' || ${customerOf('o')} as detail
      from ledger_entry l join lateral (
        select customer_id, currency from payment p where p.tenant_id = $1 and p.id = l.payment_id
        union all
        select customer_id, currency from invoice i where i.tenant_id = $1 and i.id = l.invoice_id
      ) o on true
      where l.tenant_id = $1
        and (l.customer_id <> o.customer_id or l.currency <> o.currency) order by l.id`,
  },
];

const payments: readonly Check[] = [
  {
    name: 'payment.balance',
    rule: 'Applied amounts, balance and what was closed of a payment add up to its amount less refunds and withdrawals.',
    sql: `
      with applied as (
        select payment_id as id, sum(amount_applied) as amount from invoice_payment
        where tenant_id = $1 group by 1),
      settled as (
        select debit_id as id, sum(amount_applied) as amount from invoice_payment
        where tenant_id = $1 and debit_id is not null group by 1),
      shares as (${sharesByPayment}),
      sides as (
        select p.*, coalesce(a.amount, 0) as applied,
               case when p.payment_type = 'Credit' then p.amount + coalesce(d.amount, 0)
                    when p.status <> 'Canceled' and ${cameIn('p')}
                      then p.amount - p.surcharge - p.withdrawn - coalesce(s.gone, 0)
                    else 0 end as there
        from payment p left join applied a on a.id = p.id left join settled d on d.id = p.id
        left join shares s on s.id = p.id where p.tenant_id = $1)
      select ${named('sides')} as object,
             status || ', balance ' || trim_scale(balance)
               || coalesce(', closed ' || trim_scale(carried_open), '')
               || ' and applied ' || trim_scale(applied)
               || ', should be ' || trim_scale(there) || ' in all' as detail
      from sides
      where status <> 'CarriedOver' and balance + coalesce(carried_open, 0) + applied <> there
      order by id`,
  },
  {
    name: 'payment.refunded',
    rule: 'The refunded amount of a payment is the sum of its refund shares, final or under way.',
    sql: `
      select ${named('p')} as object,
             'refunded ' || trim_scale(p.refunded) || ', its shares '
               || trim_scale(coalesce(s.gone + s.going, 0)) as detail
      from payment p left join (${sharesByPayment}) s on s.id = p.id
      where p.tenant_id = $1 and p.refunded <> coalesce(s.gone + s.going, 0) order by p.id`,
  },
  {
    name: 'payment.status',
    rule: 'A payment is Refunded or Voided if and only if nothing of it is left.',
    sql: `
      select ${named('p')} as object,
             p.status || ', of ' || trim_scale(p.amount - p.surcharge) || ' '
               || trim_scale(coalesce(s.gone, 0)) || ' went back'
               || case when s.was_voided then ' as a void' else '' end as detail
      from payment p left join (${sharesByPayment}) s on s.id = p.id
      where p.tenant_id = $1 and p.status <> 'Canceled' and ${cameIn('p')}
        and p.status <> case when coalesce(s.gone, 0) + p.withdrawn < p.amount - p.surcharge
                             then 'Paid'
                             when s.was_voided then 'Voided' else 'Refunded' end order by p.id`,
  },
  {
    name: 'refund.shares',
    rule: "A refund's amount is the sum of its shares; a declined refund has returned nothing.",
    sql: `
      with shares as (
        select refund_id as id, coalesce(sum(amount) filter (where status = 'Paid'), 0) as gone,
               sum(amount) as planned,
               count(*) filter (where status in ('Pending', 'Processing')) as open,
               count(*) filter (where status = 'Processing') as processing
        from refund_share where tenant_id = $1 group by 1)
      select 'refund ' || r.id as object,
             concat_ws(' ', r.status, r.phase, 'over', trim_scale(-r.amount) || ',', 'gone back',
               trim_scale(coalesce(s.gone, 0)) || ',', coalesce(s.open, 0), 'to be asked') as detail
      from payment r left join shares s on s.id = r.id
      where r.tenant_id = $1 and r.payment_type = 'Refund' and not case
        -- Those of invoices are reserved at once.
        when r.phase = 'Waiting' then coalesce(s.planned, -r.amount) = -r.amount
        when r.phase = 'Charging' then s.planned is not distinct from -r.amount
        when r.phase = 'Processing' then s.planned is not distinct from -r.amount
          and s.processing is not null
        when r.status = 'Paid' then s.gone is not distinct from -r.amount and s.open = 0
        else coalesce(s.gone, 0) = 0 and coalesce(s.open, 0) = 0 end order by r.id`,
  },
  {
    name: 'payment.underWay',
    rule: 'At most one payment of a customer is at the gateway at a time.',
    sql: `
      select 'customer ' || customer_id as object,
             count(*) || ' payments are with the gateway' as detail
      from payment where tenant_id = $1 and phase = 'Charging'
      group by customer_id having count(*) > 1 order by customer_id`,
  },
  {
    name: 'payment.processing',
    rule: 'A payment or refund in the phase Processing has a transaction id of its gateway.',
    sql: `
      select ${named('p')} as object, 'is Processing without a transaction id of its gateway'
               as detail
      from payment p
      where p.tenant_id = $1 and p.phase = 'Processing' and case p.payment_type
        when 'Refund' then not exists (select from refund_share s
          where s.tenant_id = $1 and s.refund_id = p.id and s.transaction_id is not null)
        else p.transaction_id is null end order by p.id`,
  },
  {
    name: 'payment.action',
    rule: "A payment that waits for its payer has a limit and its gateway's id; no other has a limit.",
    sql: `
      select ${named('p')} as object,
             'is ' || p.status || ', waits until '
               || coalesce(p.action_ends_at::text, p.gateway_news_on::text, 'nothing') || ', is '
               || coalesce(p.transaction_id, 'nothing') || ' at its gateway' as detail
      from payment p
      where p.tenant_id = $1 and case p.status
        when 'ActionRequired' then p.transaction_id is null
          or (p.action_ends_at is null) = (p.gateway_news_on is null)
        else p.action_ends_at is not null end order by p.id`,
  },
  {
    name: 'payment.chain',
    rule: 'Each attempt of a cascade follows a declined one of the same customer, for no larger amount.',
    sql: `
      with chained as (
        select p.*, row_number() over by_id as place, lag(status) over by_id as status_before,
               lag(attempt) over by_id as attempt_before, lag(amount) over by_id as amount_before,
               first_value(id) over by_id as first_id, lag(customer_id) over by_id as owner_before
        from payment p where tenant_id = $1
        window by_id as (partition by cascade_id order by id))
      select ${named('c')} as object,
             'is attempt ' || c.attempt || ' of cascade ' || c.cascade_id || ', place ' || c.place
               || coalesce(', after a ' || c.status_before || ' one', '') as detail
      from chained c
      where c.first_id <> c.cascade_id or (c.place > 1 and (c.status_before <> 'Declined'
        or c.attempt <> c.attempt_before + 1 or c.amount > c.amount_before
        or c.customer_id <> c.owner_before)) order by c.id`,
  },
];

export const paymentChecks: readonly Check[] = [...ledger, ...payments];

/** Invariants of allocations: both sides agree, and no money is unallocated beside a debt. */
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
      order by i.id`,
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
      with owed as (
        select customer_id, currency, sum(open) as open from (
          select customer_id, currency, outstanding_balance as open from invoice
          where tenant_id = $1 and status = 'Outstanding'
          union all
          select customer_id, currency, -balance from payment
          where tenant_id = $1 and balance < 0) each group by 1, 2),
      idle as (
        select p.customer_id, p.currency, sum(p.balance - ${setAsideOf('p')}) as money
        from payment p where p.tenant_id = $1 and p.balance > 0 group by 1, 2)
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
        or i.is_imported
        or (i.autopay_after_payment_id is not null and not exists (
          select from payment p where p.tenant_id = $1
            and p.status in ('Pending', 'ActionRequired')
            and p.cascade_id = i.autopay_after_payment_id
            and (p.phase = 'Processing' or not i.autopay_set_aside))))
      order by i.id`,
  },
];

/** Invariants of what gateways withdrew from payments, and of what was reinstated. */
export const withdrawalChecks: readonly Check[] = [
  {
    name: 'payment.withdrawn',
    rule: "A payment's withdrawn amount is the sum of the amounts that its withdrawals entered.",
    sql: `
      select 'payment ' || p.id as object,
             'withdrawn ' || trim_scale(p.withdrawn) || ', its withdrawals '
               || trim_scale(coalesce(w.entered, 0)) as detail
      from payment p left join (
        select payment_id as id, sum(entered) as entered from payment_withdrawal
        where tenant_id = $1 group by 1) w on w.id = p.id
      where p.tenant_id = $1 and p.withdrawn <> coalesce(w.entered, 0) order by p.id`,
  },
  {
    name: 'withdrawal.excess',
    rule: 'A withdrawal that exceeds what was paid has a gateway finding.',
    sql: `
      select 'payment ' || w.payment_id as object,
             w.kind || ' ' || w.gateway_ref || ' is ' || trim_scale(w.excess)
               || ' in excess, but there is no finding' as detail
      from payment_withdrawal w join payment p on p.tenant_id = $1 and p.id = w.payment_id
      where w.tenant_id = $1 and w.excess > 0 and not exists (select from gateway_finding f
        where f.tenant_id = $1 and f.payment_id = w.payment_id and f.kind = 'withdrawnExcess'
          and f.gateway_key = p.gateway_key || '/' || w.gateway_ref) order by w.id`,
  },
  {
    name: 'withdrawal.reinstated',
    rule: 'A reinstated payment has the covered amount, the customer and the currency of its dispute.',
    sql: `
      select 'payment ' || p.id as object,
             'of ' || trim_scale(p.amount) || ', reinstates ' || trim_scale(w.covered) as detail
      from payment_withdrawal w join payment p on p.tenant_id = $1
        and p.id = w.reinstated_payment_id
      join payment o on o.tenant_id = $1 and o.id = w.payment_id
      where w.tenant_id = $1 and (p.amount <> w.covered or p.customer_id <> o.customer_id
        or p.currency <> o.currency or not p.is_system_payment) order by w.id`,
  },
];

/*
 * Open gateway findings: gateway records that do not match the books and that no person has closed.
 */

const openOf = (kind: string): string => `
  select lower(p.payment_type) || ' ' || p.id as object, f.detail
  from gateway_finding f join payment p on p.tenant_id = $1 and p.id = f.payment_id
  where f.tenant_id = $1 and f.kind = '${kind}' and f.closed_at is null order by f.id`;

export const findingChecks: readonly Check[] = [
  {
    name: 'gateway.difference',
    rule: "A gateway's record under a key matches the call that was sent with that key.",
    sql: openOf('difference'),
  },
  {
    name: 'gateway.lateApproval',
    rule: 'No gateway approved a call that is declined in the books.',
    sql: openOf('lateApproval'),
  },
  {
    name: 'gateway.lateDecline',
    rule: 'No gateway declined a refund or void that is paid in the books.',
    sql: openOf('lateDecline'),
  },
  {
    name: 'gateway.withdrawnExcess',
    rule: 'No gateway withdrew more of a payment than was paid and not refunded.',
    sql: openOf('withdrawnExcess'),
  },
  {
    name: 'gateway.unknownCall',
    rule: 'No gateway has a charge, a refund or a void under a key of ours that the books do not know.',
    sql: `select 'lost payment ' || split_part(gateway_key, '/', 2) as object, detail
      from gateway_finding where tenant_id = $1 and payment_id is null and closed_at is null order by id`,
  },
];
