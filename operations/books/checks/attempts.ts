/** Invariants of retries, installments and payment plans. */
import type { Check } from './check.ts';
import { cameIn } from './payments.ts';
import { withoutDunning, retryRemains } from '../../../db/queries/ageing/due.ts';

/** `retry 4711`, `installment 2 of plan 4712, attempt 1`. */
const named = (a: string): string => `case when ${a}.kind = 'retry'
  then 'retry ' || ${a}.id || ' of invoice ' || ${a}.invoice_id
  else 'installment ' || ${a}.installment || ' of plan ' || ${a}.payment_plan_id || ', attempt '
    || ${a}.attempt end`;

/** Another payment ended it while it waited for its payer. */
const isOvertaken = (p: string): string =>
  `(${p}.status = 'Canceled' and ${p}.transaction_id is not null and ${p}.charged_on is null)`;

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
        when a.state = 'claimed' then p.status in ('Pending', 'ActionRequired')
        when a.outcome = 'paid' then ${cameIn('p')}
        when a.outcome = 'declined' then p.status = 'Declined' or ${isOvertaken('p')}
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
          and p.autopay_invoice_id = a.invoice_id
          and (p.status = 'Declined' or ${isOvertaken('p')}))) order by a.id`,
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

/* Checks that customers stand where the thresholds say, and that dunnings are open while owed. */

/** Each customer with its place among the thresholds, by its status and by the age of its debts. */
const places = `
  rules as (select * from dunning_rules where tenant_id = $1),
  thresholds as (
    select row_number() over (order by t."daysOverdue") as place, t."daysOverdue" as days, t.status
    from rules, jsonb_to_recordset(rules.thresholds) as t("daysOverdue" int, status text)),
  open as (
    select customer_id, min(due_date) as due_on from invoice
    where tenant_id = $1 and status = 'Outstanding' group by customer_id),
  debtor as (
    select c.id, c.status, rules.in_force_on, aged.aged_on, d.next_step_on, o.due_on, d.aided_on,
           d.held_on is not null as is_held, d.forgiven_on,
           aged.aged_on::timestamp at time zone own.timezone as aged_day_at,
           case when c.status = 'Active' then 0
                else (select place from thresholds t where t.status = c.status) end as stands,
           coalesce((select max(place) from thresholds t where o.due_on + t.days <= aged.aged_on
             and (d.forgiven_on is null or o.due_on + t.days > d.forgiven_on)), 0) as reached
    from customer c cross join rules join tenant own on own.id = $1
    -- Its workflow may have taken a step before the run of the day.
    cross join lateral (
      select greatest(rules.aged_on, max(n.transitioned_on)) as aged_on from customer_transition n
      where n.tenant_id = $1 and n.customer_id = c.id and n.cause = 'ageing') aged
    left join dunning d on d.tenant_id = $1 and d.customer_id = c.id
    left join open o on o.customer_id = c.id
    where c.tenant_id = $1 and not c.status_by_hand and rules.in_force_on <= rules.aged_on
      and (c.status <> 'Active' or d.customer_id is not null))`;

/**
 * A step that was reached comes today, or at the next 00:00 after the run of the day that money in
 * processing held it back, an invoice was opened again or moved in, or a hold was ended.
 */
const comesInTime = `next_step_on <= aged_on or (next_step_on = aged_on + 1 and (
  aided_on = aged_on
  or exists (select from invoice_payment a where a.tenant_id = $1 and a.customer_id = debtor.id
    and a.amount_applied < 0 and a.created_at >= aged_day_at)
  or exists (select from invoice i where i.tenant_id = $1 and i.customer_id = debtor.id
    and i.is_imported and i.created_at >= aged_day_at)
  or exists (select from dunning_note n where n.tenant_id = $1 and n.customer_id = debtor.id
    and n.action = 'resume' and n.noted_on >= aged_on)))`;

export const dunningChecks: readonly Check[] = [
  {
    name: 'dunning.status',
    rule: 'A customer that nobody suspended stands where the age of its oldest invoice says.',
    sql: `with ${places}
      select 'customer ' || id as object, 'is ' || status || ', and its oldest open invoice '
        || coalesce('was due on ' || due_on, 'does not exist') as detail
      from debtor
      where stands is null or stands > reached
        or (stands < reached and not is_held and not coalesce(${comesInTime}, false))
      order by id`,
  },
  {
    name: 'dunning.open',
    rule: 'A dunning is open while something is overdue or a retry remains, and only then.',
    sql: `select 'customer ' || d.customer_id as object, 'has an open dunning since ' || d.opened_on
          || ', but nothing is overdue, and no retry remains' as detail
      from dunning d
      where d.tenant_id = $1 and d.closed_on is null and not exists (
        select from invoice i where i.tenant_id = $1 and i.customer_id = d.customer_id
          and i.status = 'Outstanding'
          and i.due_date <= (select aged_on from dunning_rules where tenant_id = $1))
        and not exists (select from collection_attempt a where a.tenant_id = $1
          and a.customer_id = d.customer_id and ${retryRemains('a')})
      union all
      select distinct 'customer ' || a.customer_id, 'has a retry, but no open dunning'
      from collection_attempt a
      where a.tenant_id = $1 and ${retryRemains('a')} and ${withoutDunning('a')}
      order by 1`,
  },
  {
    name: 'dunning.transition',
    rule: "A customer's status is that of its newest transition.",
    sql: `select 'customer ' || c.id as object, 'is ' || c.status || ', but its newest transition led '
        || coalesce('to ' || t.new_status, 'nowhere') as detail
      from customer c
      left join lateral (
        select new_status from customer_transition t
        where t.tenant_id = $1 and t.customer_id = c.id
        order by t.transitioned_at desc, t.id desc limit 1) t on true
      where c.tenant_id = $1 and c.status <> coalesce(t.new_status, 'Active')
      order by c.id`,
  },
];
