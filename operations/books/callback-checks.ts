/** Invariants of callbacks: each event that is owed to an endpoint is in a state. */
import { isKept } from '../../db/queries/processes/retention.ts';
import type { Check } from './check.ts';

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
