/** Invariants of retries, installments and payment plans. */
import type { Check } from './check.ts';
import { cameIn } from './payment-checks.ts';

/** `retry 4711`, `installment 2 of plan 4712, attempt 1`. */
const named = (a: string): string => `case when ${a}.kind = 'retry'
  then 'retry ' || ${a}.id || ' of invoice ' || ${a}.invoice_id
  else 'installment ' || ${a}.installment || ' of plan ' || ${a}.payment_plan_id || ', attempt '
    || ${a}.attempt end`;

const attempts: readonly Check[] = [
  {
    name: 'attempt.payment',
    rule: 'A claimed attempt has a pending payment; a concluded one says how its payment ended.',
    sql: `
      select ${named('a')} as object,
             'is ' || a.state || coalesce(' as ' || a.outcome, '') || ', but its payment '
               || coalesce(p.id || ' is ' || p.status, 'does not exist') as detail
      from collection_attempt a
      left join lateral (
        select m.* from payment m
        where m.tenant_id = a.tenant_id and m.cascade_id = a.payment_id
        order by m.id desc limit 1) p on true
      where a.tenant_id = $1 and (case
        when a.state = 'claimed' then p.status = 'Pending'
        when a.outcome = 'paid' then ${cameIn('p')}
        when a.outcome = 'declined' then p.status = 'Declined'
        when a.payment_id is not null
          then a.outcome in ('overtaken', 'planEnabled', 'noMethod')
            and p.status = 'Canceled' and p.charged_on is null
        else true end) is not true order by a.id`,
  },
  {
    name: 'attempt.charged',
    rule: 'A payment of an attempt is of the cascade, the customer and the invoice of the attempt.',
    sql: `
      select 'payment ' || p.id as object,
             'is of cascade ' || p.cascade_id || ', its attempt ' || a.id || ' of '
               || coalesce(a.payment_id::text, 'none') as detail
      from payment p
      join collection_attempt a on a.tenant_id = $1 and a.id = p.collection_attempt_id
      where p.tenant_id = $1 and (a.payment_id is distinct from p.cascade_id
        or a.customer_id <> p.customer_id
        or a.invoice_id is distinct from p.autopay_invoice_id) order by p.id`,
  },
  {
    name: 'attempt.retry',
    rule: 'An invoice is retried while it is open, after its automatic payment was declined.',
    sql: `
      select ${named('a')} as object,
             'is ' || a.state || ', its invoice ' || i.status
               || case when own.id is not null then ', and its customer has a payment plan'
                       else '' end as detail
      from collection_attempt a
      join invoice i on i.tenant_id = $1 and i.id = a.invoice_id
      left join payment_plan own on own.tenant_id = $1 and own.customer_id = a.customer_id
        and own.is_enabled
      where a.tenant_id = $1 and ((a.state = 'due' and i.status <> 'Outstanding')
        or (a.state = 'due' and own.id is not null)
        or not exists (select from payment p where p.tenant_id = $1
          and p.autopay_invoice_id = a.invoice_id and p.status = 'Declined')) order by a.id`,
  },
];

const plans: readonly Check[] = [
  {
    name: 'paymentPlan.installments',
    rule: 'A plan counts the installments that had their turn; an enabled one has the next as due.',
    sql: `
      with turns as (
        select payment_plan_id as id, max(installment) filter (where state <> 'ended') as last,
               count(*) filter (where state in ('claimed', 'done')) as had,
               count(*) filter (where state = 'due') as due
        from collection_attempt where tenant_id = $1 and attempt = 1 and payment_plan_id is not null
        group by 1)
      select 'payment plan ' || p.id as object,
             concat('counts ', p.counted_installments, ' of ', p.total_installments, ', had ',
               coalesce(t.had, 0), ', next: ', coalesce(t.due, 0), ', last number ', t.last)
               as detail
      from payment_plan p left join turns t on t.id = p.id
      where p.tenant_id = $1 and (coalesce(t.had, 0) <> p.counted_installments
        or coalesce(t.due, 0) <> case when p.is_enabled
             and p.counted_installments < p.total_installments then 1 else 0 end
        or coalesce(t.last, 0) <> p.counted_installments + coalesce(t.due, 0)) order by p.id`,
  },
  {
    name: 'paymentPlan.enabled',
    rule: 'A plan is enabled while an installment, or a retry of one, is to come or under way.',
    sql: `
      select 'payment plan ' || p.id as object,
             case when p.is_enabled then 'is enabled, but nothing of it is left'
                  else 'is not enabled, but something of it is due' end as detail
      from payment_plan p
      where p.tenant_id = $1 and p.is_enabled <> exists (
        select from collection_attempt a
        where a.tenant_id = $1 and a.payment_plan_id = p.id
          and a.state in ('due', case when p.is_enabled then 'claimed' else 'due' end))
      order by p.id`,
  },
  {
    name: 'paymentPlan.charged',
    rule: 'An installment is paid at most once, with at most the amount of its plan at the time.',
    sql: `
      select 'installment ' || a.installment || ' of plan ' || a.payment_plan_id as object,
             count(*) || ' payments of ' || string_agg(trim_scale(p.amount)::text, ', ' order by p.id)
               || ' for ' || trim_scale(max(a.amount)) as detail
      from collection_attempt a
      join payment p on p.tenant_id = $1 and p.collection_attempt_id = a.id and ${cameIn('p')}
      where a.tenant_id = $1 and a.payment_plan_id is not null
      group by a.payment_plan_id, a.installment
      having count(*) > 1 or bool_or(p.amount > a.amount) order by 1`,
  },
];

export const attemptChecks: readonly Check[] = [...attempts, ...plans];
