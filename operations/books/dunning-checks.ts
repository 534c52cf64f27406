/** Checks that customers stand where the thresholds say, and that dunnings are open while owed. */
import { withoutDunning } from '../../db/queries/ageing/due.ts';
import { retryRemains } from '../../db/queries/ageing/retries.ts';
import type { Check } from './check.ts';

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
    and i.imported_number is not null and i.created_at >= aged_day_at)
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
