/** Invariants of mails: each event that is mailed has its mail, and no mail waits for ever. */
import { SENDING_SECONDS_MAX } from '../../db/queries/mail/mails.ts';
import { isHeldBySignup, kindOfEvent } from '../../db/queries/mail/queue.ts';
import { isKept } from '../../db/queries/processes/retention.ts';
import type { Check } from './check.ts';

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
