/** Invariants of events: each has its fact, each fact has its events, and the numbers have no hole. */
import { standingStatus } from '../../db/queries/context/carried-over.ts';
import type { Check } from './check.ts';
import { cameIn, isOpening } from './payment-checks.ts';

/** The sequencer numbers within a second; after a longer pause it does not run, or a hook fails. */
const UNNUMBERED_MINUTES_MAX = 10;

/** Facts with a higher id are from after events were first raised. */
const sinceId = `(select value::bigint from installation where key = 'events_since_id')`;

/** An import raises no event, also if money meets the invoice at once. */
const wasPaidHere = `${standingStatus('i')} = 'Paid'
  and (i.imported_number is null or coalesce(a.last_at > i.created_at, false))`;

/**
 * What happened, by type and object: how often at least and at most (null: any number), and whether
 * it happened since events are raised. Changes of fields leave no fact, so `*.updated` is bounded
 * by its object only.
 */
const facts = `
  select 'customer.created' as type, id as object_id, id as customer_id, 1 as least, 1 as most,
         id > ${sinceId} as is_since
  from customer where tenant_id = $1 and imported_by is null
  union all
  select 'customer.updated', id, id, 0, null, true from customer where tenant_id = $1
  union all
  select 'customer.transition', id, customer_id, 1, 1, id > ${sinceId}
  from customer_transition where tenant_id = $1
  union all
  select 'order.created', id, customer_id, 1, 1, id > ${sinceId}
  from subscription_order where tenant_id = $1
  union all
  select 'order.updated', id, customer_id, 0, null, true
  from subscription_order where tenant_id = $1
  union all
  select 'invoice.created', id, customer_id, 1, 1, id > ${sinceId}
  from invoice where tenant_id = $1 and imported_number is null
  union all
  select 'invoice.cancelled', i.id, i.customer_id, 1, 1, coalesce(l.id, i.id) > ${sinceId}
  from invoice i
  left join ledger_entry l on l.tenant_id = $1 and l.invoice_id = i.id and l.kind = 'invoiceCancelled'
  where i.tenant_id = $1 and ${standingStatus('i')} = 'Cancelled'
  union all
  select 'invoice.paid', i.id, i.customer_id, case when ${wasPaidHere} then 1 else 0 end, null,
         coalesce(a.last, i.id) > ${sinceId}
  from invoice i
  left join (
    select invoice_id as id, max(id) as last, max(created_at) as last_at from invoice_payment
    where tenant_id = $1 and invoice_id is not null group by 1) a on a.id = i.id
  where i.tenant_id = $1 and (${standingStatus('i')} = 'Paid' or a.id is not null)
  union all
  select 'payment.success', p.id, p.customer_id, 1, 1, coalesce(l.id, p.id) > ${sinceId}
  from payment p
  left join ledger_entry l on l.tenant_id = $1 and l.payment_id = p.id and l.kind = 'payment'
  where p.tenant_id = $1 and ${cameIn('p')}
  union all
  select 'payment.failed', f.id, f.customer_id, count(*)::int, count(*)::int, bool_and(f.is_since)
  from (
    select id, customer_id, id > ${sinceId} as is_since from payment
    where tenant_id = $1 and payment_type = 'Payment' and status = 'Declined'
    union all
    select p.id, p.customer_id, w.id > ${sinceId}
    from payment_withdrawal w join payment p on p.tenant_id = $1 and p.id = w.payment_id
    where w.tenant_id = $1 and w.entered > 0) f
  group by f.id, f.customer_id
  union all
  select 'refund.success', p.id, p.customer_id, 1, 1, coalesce(l.id, p.id) > ${sinceId}
  from payment p
  left join ledger_entry l on l.tenant_id = $1 and l.payment_id = p.id and l.kind = 'refund'
  where p.tenant_id = $1 and p.payment_type = 'Refund' and p.status = 'Paid'
  union all
  select 'credit.created', id, customer_id, 1, 1, id > ${sinceId}
  from payment p where tenant_id = $1 and payment_type = 'Credit' and not ${isOpening('p')}
  union all
  select 'batch.finished', id, null, 1, 1, id > ${sinceId}
  from batch where tenant_id = $1 and parent_id is null and finished_at is not null
  union all
  select 'paymentPlan.installment', id, customer_id, 1, 1, true
  from collection_attempt where tenant_id = $1 and kind = 'installment' and state = 'done'`;

/** Types whose facts are listed; what others speak of is not built yet, or checked elsewhere. */
const withFacts = `('customer.created', 'customer.updated', 'customer.transition', 'order.created',
  'order.updated', 'invoice.created', 'invoice.cancelled', 'invoice.paid', 'payment.success',
  'payment.failed', 'refund.success', 'credit.created', 'batch.finished', 'paymentPlan.installment')`;

export const eventChecks: readonly Check[] = [
  {
    name: 'event.fact',
    rule: 'Each event has its fact and its customer, and each fact has as many events as it should.',
    sql: `
      with fact as materialized (${facts}),
      raised as materialized (
        select type, object_id, customer_id, count(*)::int as times from event
        where tenant_id = $1 and type in ${withFacts} group by 1, 2, 3)
      select coalesce(r.type, f.type) || ' of ' || coalesce(r.object_id, f.object_id) as object,
             case when f.type is null then times || ' events without a fact'
                  else coalesce(times, 0) || ' events, should be '
                    || case when f.most is null then 'at least ' else '' end || f.least
             end as detail
      from fact f full join raised r
        on r.type = f.type and r.object_id = f.object_id
          -- A batch job has no customer; a full join takes no "is not distinct from".
          and coalesce(r.customer_id, 0) = coalesce(f.customer_id, 0)
      where (f.type is null and not exists (
          select from removed_object o
          where o.tenant_id = $1 and o.object_id in (r.object_id, r.customer_id)))
        or (f.is_since and (coalesce(r.times, 0) < f.least or r.times > f.most))
      order by 1`,
  },
  {
    name: 'event.sequence',
    rule: "The numbers of a tenant's events have no hole, and begin at 1.",
    sql: `
      select 'event number ' || before + 1 as object,
             case when sequence = before + 2 then 'is missing'
                  else 'up to ' || sequence - 1 || ': ' || sequence - before - 1
                    || ' numbers are missing' end as detail
      from (
        select sequence, coalesce(lag(sequence) over (order by sequence), 0) as before
        from event where tenant_id = $1 and sequence is not null) e
      where sequence <> before + 1 order by sequence`,
  },
  {
    name: 'event.customerSequence',
    rule: "A customer's events are numbered in the order of their ids, for the tenant as well.",
    sql: `
      select 'event ' || id as object,
             'is number ' || customer_sequence || ' of customer ' || customer_id || ', should be '
               || place as detail
      from (
        select id, customer_id, sequence, customer_sequence, row_number() over by_id as place,
               lag(sequence) over by_id as before
        from event where tenant_id = $1 and customer_id is not null and sequence is not null
        window by_id as (partition by customer_id order by id)) e
      where customer_sequence <> place or sequence < before order by id`,
  },
  {
    name: 'event.unnumbered',
    rule: `Events are numbered within ${UNNUMBERED_MINUTES_MAX} minutes.`,
    sql: `
      select count(*) || ' events' as object,
             'wait for their numbers, the oldest since '
               || to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as detail
      from event where tenant_id = $1 and sequence is null
        and created_at < now() - interval '${UNNUMBERED_MINUTES_MAX} minutes'
      having count(*) > 0`,
  },
];
