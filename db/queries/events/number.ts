/** Numbers committed events: per tenant without holes, and per customer in the order of ids. */
import { rowTypes, type Database } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { tenantNow } from '../context/tenant-now.ts';
import { given } from '../context/insertion.ts';
import { Event } from '../../entities/events.ts';
import type { RowOf } from '../../entities/rows.ts';

/** An arbitrary constant: with a tenant it is the lock of the process that numbers its events. */
const SEQUENCER_LOCK = 727_003;

/** Tenants with events to number or to send again, read as the relay's role. */
export async function tenantsWithNewEvents(relayDb: Database): Promise<number[]> {
  const rows = await relayDb.ask<{ id: number }>({
    name: 'tenants-with-new-events',
    // One look into the index for each such tenant, however many tenants and events there are.
    text: `
      with recursive next as (
        (select tenant_id from event where sequence is null order by tenant_id limit 1)
        union all
        select (select e.tenant_id from event e
                where e.sequence is null and e.tenant_id > next.tenant_id
                order by e.tenant_id limit 1)
        from next where next.tenant_id is not null)
      select tenant_id as id from next where tenant_id is not null
      union
      select tenant_id from event_resend where taken_at is null`,
    types: rowTypes,
  });
  return rows.map(({ id }) => id);
}

/**
 * False while another process numbers the tenant's events. The lock ends with the transaction; a
 * later statement sees what its previous owner committed.
 */
export async function lockSequence(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock($1, hashint8($2)) as locked',
    [SEQUENCER_LOCK, tx.tenantId],
    'lock-sequence',
  );
  return row?.locked === true;
}

export type NumberedEvent = RowOf<typeof Event, 'id' | 'type'>;

const unnumbered = given(Event, ['id', 'customerId']);

/**
 * Numbers the unnumbered events with the lowest ids, and returns them in that order. A customer's
 * events are committed in the order of their ids, so none of an earlier one is missing here.
 */
export async function numberEvents(tx: Tx, limit: number): Promise<NumberedEvent[]> {
  const batch = await tx.query<NumberedEvent & { readonly customerId: number | null }>(
    `select id, type, customer_id from event
     where tenant_id = $1 and sequence is null order by id limit $2`,
    [tx.tenantId, limit],
    'unnumbered-events',
  );
  if (batch.length === 0) return [];
  // A list has no statistics, so each event is found by its key, however old those of the table are.
  tx.send(
    `with batch as materialized (
       select r.id, r."customerId" as customer_id
       from ${unnumbered.recordset}),
     -- A restored database gives no number again: a customer of before goes on where its tenant does.
     lost as materialized (
       select coalesce(max(l.up_to), 0) as up_to, coalesce(max(r.first_id), 0) as first_id
       from lost_number l
       join restoration r on r.tenant_id = l.tenant_id and r.epoch = l.epoch
       where l.tenant_id = $1 and l.kind = 'event'),
     own as (
       select b.customer_id, greatest((
         select max(e.customer_sequence) from event e
         where e.tenant_id = $1 and e.customer_id = b.customer_id
           and e.customer_sequence is not null), (
         select up_to from lost where b.customer_id < lost.first_id), 0) as last
       from (select distinct customer_id from batch where customer_id is not null) b),
     numbered as (
       select b.id,
         greatest((select max(sequence) from event where tenant_id = $1
            and sequence is not null), (select up_to from lost)) + row_number() over (order by b.id) as sequence,
         own.last + row_number() over (partition by b.customer_id order by b.id)
           as customer_sequence
       from batch b left join own on own.customer_id = b.customer_id)
     update event e set sequence = n.sequence, customer_sequence = n.customer_sequence
     from numbered n where e.tenant_id = $1 and e.id = n.id`,
    [tx.tenantId, unnumbered.json(batch.map(({ id, customerId }) => ({ id, customerId })))],
    'number-events',
  );
  return batch;
}

/** Takes events that are to be sent again, in the order of the requests. */
export async function takeResends(tx: Tx, limit: number): Promise<NumberedEvent[]> {
  const rows = await tx.query<NumberedEvent & { readonly place: number }>(
    `with taken as (
       update event_resend set taken_at = ${tenantNow('now()')}
       where tenant_id = $1 and id in (
         select r.id from event_resend r
         join event e on e.tenant_id = r.tenant_id and e.id = r.event_id
         where r.tenant_id = $1 and r.taken_at is null and e.sequence is not null
         order by r.id limit $2)
       returning tenant_id, event_id, id as place)
     select e.id, e.type, taken.place
     from taken join event e on e.tenant_id = taken.tenant_id and e.id = taken.event_id`,
    [tx.tenantId, limit],
    'take-resends',
  );
  return rows.toSorted((a, b) => a.place - b.place).map(({ place: _place, ...event }) => event);
}
