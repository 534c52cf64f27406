/** Invariants of events: each has its fact, each fact has its events, and the numbers have no hole. */
import { standingStatus } from '../../../db/queries/context/invoices.ts';
import type { Check } from './check.ts';
import { cameIn, isOpening } from './payments.ts';
import { lostBetween } from '../../../db/queries/context/lost-numbers.ts';
import { isKept } from '../../../db/queries/processes/retention.ts';
import { SENDING_SECONDS_MAX } from '../../../db/queries/mail/mails.ts';
import { isHeldBySignup, kindOfEvent } from '../../../db/queries/mail/queue.ts';

/** The sequencer numbers within a second; after a longer pause it does not run, or a hook fails. */
const UNNUMBERED_MINUTES_MAX = 10;

/** Facts with a higher id are from after events were first raised. */
const sinceId = `(select value::bigint from installation where key = 'events_since_id')`;

/** An import raises no event, also if money meets the invoice at once. */
const wasPaidHere = `${standingStatus('i')} = 'Paid'
  and (not i.is_imported or coalesce(a.last_at > i.created_at, false))`;

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
  select 'customer.erased', id, id, 1, 1, true from customer
  where tenant_id = $1 and erased_on is not null
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
  from invoice where tenant_id = $1 and not is_imported
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

/** Types whose facts are listed; what others speak of is checked elsewhere. */
const withFacts = `('customer.created', 'customer.updated', 'customer.erased', 'customer.transition', 'order.created',
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
    rule: "The numbers of a tenant's events have no hole, and begin at 1. Those that a restoration has lost are none.",
    sql: `
      select 'event number ' || before + 1 as object,
             case when sequence = before + 2 then 'is missing'
                  else 'up to ' || sequence - 1 || ': ' || sequence - before - 1
                    || ' numbers are missing' end as detail
      from (
        select sequence, coalesce(lag(sequence) over (order by sequence), 0) as before
        from event where tenant_id = $1 and sequence is not null) e
      where sequence <> before + 1 + ${lostBetween('event', 'before', 'sequence')}
      order by sequence`,
  },
  {
    name: 'event.customerSequence',
    rule: "A customer's events are numbered in the order of their ids, for the tenant as well.",
    sql: `
      select 'event ' || id as object,
             'is number ' || customer_sequence || ' of customer ' || customer_id || ', should be '
               || place as detail
      from (
        select id, customer_id, sequence, customer_sequence, before, row_number() over run - 1
                 + case when restorations = 0 then 1 else first_value(customer_sequence) over run end
                 as place
        from (
          select e.*, count(*) filter (where exists (
                     select from lost_number l where l.tenant_id = $1 and l.kind = 'event'
                       and l.after >= last and l.up_to = customer_sequence - 1))
                   over (partition by customer_id order by id) as restorations
          from (
            select id, customer_id, sequence, customer_sequence,
                   coalesce(lag(customer_sequence) over by_id, 0) as last,
                   lag(sequence) over by_id as before
            from event where tenant_id = $1 and customer_id is not null and sequence is not null
            window by_id as (partition by customer_id order by id)) e) r
        window run as (partition by customer_id, restorations order by id)) placed
      where sequence < before or customer_sequence <> place
      order by id`,
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

/* Invariants of callbacks: each event that is owed to an endpoint is in a state. */

/** An endpoint looks at a new event at once, unless it is paused. */
const LATE_AFTER = `interval '1 hour'`;

const owed = `join callback_subscription s on s.tenant_id = $1 and s.event_type = v.type
  and v.id > s.after_event_id and (s.until_event_id is null or v.id < s.until_event_id)
join callback_endpoint e on e.tenant_id = $1 and e.id = s.endpoint_id`;

const undelivered = `not exists (select from callback_delivery d where d.tenant_id = $1
  and d.event_id = v.id and d.endpoint_id = e.id)`;

const named = `'event ' || v.id || ' to endpoint ' || e.id`;

export const callbackChecks: readonly Check[] = [
  {
    name: 'callbacks.missed',
    rule: 'An endpoint passes over no event that is owed to it, as far as its deliveries are kept.',
    sql: `select ${named} as object, v.type || ' was passed over' as detail
      from event v ${owed}
      where v.tenant_id = $1 and v.sequence <= e.cursor and ${undelivered}
        and ${isKept('deliveries', 'v')}
      order by v.id, e.id`,
  },
  {
    name: 'callbacks.late',
    rule: 'An endpoint that is not paused looks at an event within an hour.',
    sql: `select ${named} as object, v.type || ' was not looked at' as detail
      from event v ${owed}
      where v.tenant_id = $1 and v.sequence > e.cursor and ${undelivered}
        and v.created_at < now() - ${LATE_AFTER}
        and (e.paused_until is null or e.paused_until < now() - ${LATE_AFTER})
      order by v.id, e.id`,
  },
  {
    name: 'callbacks.lane',
    rule: 'The first delivery that waits in its lane has an instant; the others wait for it.',
    sql: `select 'endpoint ' || endpoint_id || ', lane ' || lane as object,
        'event ' || event_id || ' waits for nothing' as detail
      from (select distinct on (endpoint_id, lane) * from callback_delivery
            where tenant_id = $1 and state = 'Waiting'
            order by endpoint_id, lane, event_id) first
      where retry_at is null order by endpoint_id, lane`,
  },
  {
    name: 'callbacks.overdue',
    rule: 'No delivery waits an hour longer than until it is given up.',
    sql: `select 'event ' || d.event_id || ' to endpoint ' || d.endpoint_id as object,
        'still waits after its three days' as detail
      from callback_delivery d
      where d.tenant_id = $1 and d.state = 'Waiting' and d.give_up_at < now() - ${LATE_AFTER}
      order by d.event_id, d.endpoint_id`,
  },
  {
    name: 'callbacks.invented',
    rule: 'Nothing was sent to an endpoint that it did not subscribe to.',
    sql: `select 'event ' || d.event_id || ' to endpoint ' || d.endpoint_id as object,
        v.type || ' was not owed' as detail
      from callback_delivery d
      join event v on v.tenant_id = $1 and v.id = d.event_id
      where d.tenant_id = $1 and d.lane >= 0 and not exists (
        select from callback_subscription s where s.tenant_id = $1
          and s.endpoint_id = d.endpoint_id and s.event_type = v.type
          and v.id > s.after_event_id and (s.until_event_id is null or v.id < s.until_event_id))
      order by d.event_id, d.endpoint_id`,
  },
];

/* Invariants of mails: each event that is mailed has its mail, and no mail waits for ever. */

/** A pass looks as soon as a mail is due; after a longer time no worker sends mails. */
const STUCK_MINUTES = 60;

export const mailChecks: readonly Check[] = [
  {
    name: 'mail.missing',
    rule: 'Each numbered event of an enabled kind, since the tenant enabled it, has a mail, unless its mail may have been deleted, or its sign-up has not ended well.',
    sql: `
      select 'event ' || e.id as object,
             n.kind || ' is enabled, but ' || e.type || ' has no mail' as detail
      from event e
      join notification n on n.tenant_id = $1 and n.kind = ${kindOfEvent}
      where e.tenant_id = $1 and e.sequence is not null and e.customer_id is not null
        and n.enabled_at <= e.created_at and ${isKept('mails', 'e')}
        and not ${isHeldBySignup}
        and not exists (select from mail m
          where m.tenant_id = $1 and m.event_id = e.id and m.kind = n.kind)
      order by e.id`,
  },
  {
    name: 'mail.event',
    rule: 'A mail that follows an event has its kind, customer and object, and is of its time.',
    sql: `
      select 'mail ' || m.id as object,
             m.kind || ' of object ' || m.object_id || ' follows ' || e.type || ' of object '
               || e.object_id as detail
      from mail m
      join event e on e.tenant_id = $1 and e.id = m.event_id
      left join notification n on n.tenant_id = $1 and n.kind = m.kind
      where m.tenant_id = $1 and (${kindOfEvent} is distinct from m.kind
        or m.customer_id is distinct from e.customer_id or m.object_id <> e.object_id
        or n.first_in_force_at is null or e.created_at < n.first_in_force_at)
      order by m.id`,
  },
  {
    name: 'mail.stuck',
    rule: 'A queued mail is tried when it is due, and a mail is sent or queued again soon.',
    sql: `
      select 'mail ' || m.id as object,
             m.kind || ' is ' || m.state || ', and nothing was done since it was due' as detail
      from mail m
      where m.tenant_id = $1 and now() - interval '${STUCK_MINUTES} minutes' > case m.state
        when 'queued' then m.next_attempt_at
        when 'sending' then m.attempted_at + interval '${SENDING_SECONDS_MAX} seconds' end
      order by m.id`,
  },
];
