/** Invariants of hosted sign-ups: what an end leaves behind, and that each comes to one. */
import { enteredOf } from '../../../db/queries/context/invoices.ts';
import type { Check } from './check.ts';

/** A working try is carried on within moments; after a longer time nobody does. */
const LATE_MINUTES = 60;

/** Its gateway has accepted the debit `p`: what became of it is the customer's. */
const tookDays = (p: string): string => `(${p}.phase = 'Processing' or (${p}.status = 'Declined'
  and exists (select from payment_method m where m.tenant_id = ${p}.tenant_id
    and m.id = ${p}.payment_method_id and (m.debit is not null or m.type = 'ACH'))))`;

/** Conditions that name what is wrong with a sign-up `s`; null if nothing is. */
const faultOfResult = `case
  when exists (select from signup_try t
    where t.tenant_id = $1 and t.signup_id = s.id and t.ended_at is null)
    then 'has an open try'
  when s.status = 'EXPIRED' and (s.order_id is not null or cardinality(s.invoice_ids) > 0
    or exists (select from signup_try t
      where t.tenant_id = $1 and t.signup_id = s.id and t.payment_id is not null))
    then 'has made something'
  when s.status = 'FAILED' and exists (select from subscription_order o
    where o.tenant_id = $1 and o.id = s.order_id and o.status <> 'Canceled')
    then 'has an order that is not Canceled'
  when s.status = 'FAILED' and exists (select from invoice i
    where i.tenant_id = $1 and i.id = any(s.invoice_ids)
      and i.status not in ('Cancelled', 'CarriedOver'))
    then 'has an invoice that is not Cancelled'
  when exists (select from signup_try t
    join payment p on p.tenant_id = t.tenant_id and p.id = t.payment_id
    where t.tenant_id = $1 and t.signup_id = s.id and p.status in ('Pending', 'ActionRequired')
      and (s.status <> 'PROCESSED' or p.phase is distinct from 'Processing'))
    then 'has a Pending payment'
  when s.status = 'PROCESSED' and exists (select from signup_try t
    where t.tenant_id = $1 and t.signup_id = s.id and t.status = 'paid'
      and t.confirm_asked_at is not null and t.confirmed_at is null)
    then 'was not confirmed'
  when s.status = 'PROCESSED' and (select count(*) from invoice i
    where i.tenant_id = $1 and i.id = any(s.invoice_ids) and i.customer_id = s.customer_id
      and exists (select from invoice_line l
        where l.tenant_id = $1 and l.invoice_id = i.id and l.order_id = s.order_id))
    <> cardinality(s.invoice_ids)
    then 'lacks an invoice of its customer and order'
  when s.status = 'PROCESSED' and exists (select from signup_try t
    where t.tenant_id = $1 and t.signup_id = s.id and t.status = 'paid'
      and t.payment_id is not null
      and not exists (select from ledger_entry e
        where e.tenant_id = $1 and e.payment_id = t.payment_id and e.kind = 'payment')
      and not exists (select from payment p
        where p.tenant_id = $1 and p.id = t.payment_id and ${tookDays('p')}))
    then 'has a payment that was never Paid'
  end`;

export const signupChecks: readonly Check[] = [
  {
    name: 'signup.result',
    rule: 'What a PROCESSED sign-up made stands, of a FAILED one all is reversed, and an EXPIRED one made nothing.',
    sql: `
      select 'signup ' || f.id as object, 'is ' || f.status || ', but ' || f.fault as detail
      from (select s.id, s.status, ${faultOfResult} as fault from signup s
            where s.tenant_id = $1 and s.status <> 'DRAFT') f
      where f.fault is not null
      order by f.id`,
  },
  {
    name: 'signup.late',
    rule: 'A sign-up ends soon after its link, unless a payment of it is Pending, or a mailed page holds longer.',
    sql: `
      select 'signup ' || s.id as object, 'is DRAFT since its link ended at ' || s.expires_at as detail
      from signup s
      where s.tenant_id = $1 and s.status = 'DRAFT'
        and s.expires_at < now() - interval '${LATE_MINUTES} minutes'
        and not exists (select from signup_try t
          join payment p on p.tenant_id = t.tenant_id and p.id = t.payment_id
          where t.tenant_id = $1 and t.signup_id = s.id and p.status in ('Pending', 'ActionRequired'))
        and not exists (select from signup_try t
          where t.tenant_id = $1 and t.signup_id = s.id and t.status = 'confirming'
            and t.confirm_until > now() - interval '${LATE_MINUTES} minutes')
      order by s.id`,
  },
];

const isOverShown = `when p.amount > made.shown_amount
          then 'is over ' || trim_scale(p.amount) || ', but its page showed '
            || trim_scale(made.shown_amount)`;

/** Money of the payment `p` went past its invoice `i` while something was open of that. */
const wentElsewhere = `exists (select from invoice_payment a
  where a.tenant_id = $1 and a.payment_id = p.id and a.amount_applied > 0
    and a.invoice_id is distinct from i.id and i.status not in ('Cancelled', 'CarriedOver')
    and ${enteredOf('i')} > (select coalesce(sum(b.amount_applied), 0) from invoice_payment b
      where b.tenant_id = $1 and b.invoice_id = i.id
        and (b.id < a.id or b.written_in = a.written_in)))`;

/** Invariants of hosted self-service: what its pages charge, and whom. */
export const selfServiceChecks: readonly Check[] = [
  {
    name: 'selfService.payment',
    rule: 'No payment of a page exceeds what the page showed, and it is of the customer of the session.',
    sql: `
      select 'payment ' || p.id as object, f.fault as detail
      from self_service_payment made
      join payment p on p.tenant_id = $1 and p.cascade_id = made.payment_id
      left join self_service_session s on s.tenant_id = $1 and s.id = made.session_id
      cross join lateral (select case
        ${isOverShown}
        when s.customer_id <> p.customer_id
          then 'is of customer ' || p.customer_id || ', but its session of customer '
            || s.customer_id
        when p.payment_type <> 'Payment' then 'is a ' || p.payment_type
        end as fault) f
      where made.tenant_id = $1 and made.invoice_id is null and f.fault is not null
      order by p.id`,
  },
  {
    name: 'payLink.payment',
    rule: 'No payment of a pay link exceeds what its page showed, and its money goes to the invoice of the link.',
    sql: `
      select 'payment ' || p.id as object, f.fault as detail
      from self_service_payment made
      join payment p on p.tenant_id = $1 and p.cascade_id = made.payment_id
      join invoice i on i.tenant_id = $1 and i.id = made.invoice_id
      cross join lateral (select case
        ${isOverShown}
        when p.payment_type <> 'Payment' then 'is a ' || p.payment_type
        when p.named_invoice_ids <> array[i.id]
          then 'does not name invoice ' || i.invoice_number || ' alone, whose link made it'
        when ${wentElsewhere}
          then 'went past invoice ' || i.invoice_number || ', whose link made it'
        end as fault) f
      where made.tenant_id = $1 and made.invoice_id is not null and f.fault is not null
      order by p.id`,
  },
];
