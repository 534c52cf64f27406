/** Records what became of deliveries, and how far an endpoint is. */
import type { Tx } from '../../connection/tenancy.ts';
import { CallbackDelivery, CallbackResumption } from '../../entities/events.ts';
import type { RowOf } from '../../entities/rows.ts';
import { insertText, oneRow } from '../context/insertion.ts';
import { tenantNow } from '../context/tenant-now.ts';

/** When a delivery is settled: on the tenant's clock, unlike the instants of its attempts. */
const settledNow = (now: string): string => tenantNow(`${now}::timestamptz`);

const recordColumns = [
  'eventId',
  'lane',
  'state',
  'attempts',
  // Null also for one that waits for an earlier one of its lane.
  'retryAt',
  'giveUpAt',
  // Its first failure; null once it is delivered.
  'failedAt',
  'lastError',
  'document',
] as const;

export type DeliveryRecord = RowOf<typeof CallbackDelivery, (typeof recordColumns)[number]>;

export interface RecordedBatch {
  readonly endpointId: number;
  readonly now: Date;
  readonly records: readonly DeliveryRecord[];
}

// A row that was there keeps its document where this attempt sent none.
const recordText = insertText({
  into: CallbackDelivery,
  columns: recordColumns,
  values: {
    endpointId: '$2',
    settledAt: `case when r.state <> 'Waiting' then ${settledNow('$3')} end`,
  },
  rows: '$4',
  ending: `on conflict (tenant_id, event_id, endpoint_id) do update set state = excluded.state,
    attempts = excluded.attempts, retry_at = excluded.retry_at, failed_at = excluded.failed_at,
    settled_at = excluded.settled_at, last_error = excluded.last_error,
    document = coalesce(excluded.document, callback_delivery.document)`,
});

export function recordDeliveries(tx: Tx, { endpointId, now, records }: RecordedBatch): void {
  if (records.length === 0) return;
  const values = [tx.tenantId, endpointId, now, JSON.stringify(records)];
  tx.send(recordText, values, 'record-deliveries');
}

/** Makes the first delivery of each of these lanes due if it waits without an instant. */
export function promoteLanes(
  tx: Tx,
  { endpointId, now, lanes }: { readonly endpointId: number; now: Date; lanes: readonly number[] },
): void {
  tx.send(
    `update callback_delivery d set retry_at = $3
     from unnest($4::bigint[]) own (lane) cross join lateral (
       select event_id from callback_delivery
       where tenant_id = $1 and endpoint_id = $2 and lane = own.lane and state = 'Waiting'
       order by event_id limit 1) first
     where d.tenant_id = $1 and d.endpoint_id = $2 and d.event_id = first.event_id
       and d.retry_at is null`,
    [tx.tenantId, endpointId, now, lanes],
    'promote-lanes',
  );
}

export interface OutageEnd {
  readonly endpointId: number;
  readonly since: Date;
  readonly now: Date;
}

/** What failed in an outage is due, and begins anew; what had failed before keeps its own pause. */
export function endOutage(tx: Tx, { endpointId, since, now }: OutageEnd): void {
  tx.send(
    `update callback_delivery set retry_at = least(retry_at, $4), attempts = 0
     where tenant_id = $1 and endpoint_id = $2 and retry_at is not null and failed_at >= $3`,
    [tx.tenantId, endpointId, since, now],
    'end-outage',
  );
}

export interface EndpointProgress {
  readonly cursor: number;
  readonly atOnce: number;
  readonly outages: number;
  readonly failingSince: Date | null;
  readonly pausedUntil: Date | null;
  readonly lastError: string | null;
}

export function recordEndpoint(tx: Tx, endpointId: number, progress: EndpointProgress): void {
  const { cursor, atOnce, outages, failingSince, pausedUntil, lastError } = progress;
  tx.send(
    `update callback_endpoint set cursor = greatest(cursor, $3), at_once = $4, outages = $5,
       failing_since = $6, paused_until = $7, last_error = $8
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, endpointId, cursor, atOnce, outages, failingSince, pausedUntil, lastError],
    'record-endpoint',
  );
}

export interface Settling {
  readonly endpointId: number;
  readonly cursor: number;
  readonly now: Date;
  /** Events created up to then; null for all. */
  readonly createdUntil: Date | null;
  readonly why: string;
}

/** Deliveries that one statement changes, so that it stays far below the limit of its time. */
export const AT_ONCE_MAX = 5_000;

/**
 * Gives up what was not sent: of the deliveries that wait the next ones whose time is over, and of
 * the new events the next ones, as long as they are old enough. Returns the number; 0 if nothing is
 * left.
 */
export async function giveUpUnsent(tx: Tx, settling: Settling): Promise<number> {
  const { endpointId, cursor, now, createdUntil, why } = settling;
  const [waiting] = await tx.query<{ count: number }>(
    `with given_up as (
       update callback_delivery d set state = 'GivenUp', settled_at = ${settledNow('$3')},
         retry_at = null,
         last_error = coalesce(last_error, $5)
       where d.tenant_id = $1 and d.endpoint_id = $2 and d.state = 'Waiting'
         and d.event_id = any(array(
           select event_id from callback_delivery
           where tenant_id = $1 and endpoint_id = $2 and state = 'Waiting'
             and give_up_at <= case when $4 then 'infinity' else $3::timestamptz end limit ${AT_ONCE_MAX}))
       returning 1)
     select count(*) from given_up`,
    [tx.tenantId, endpointId, now, createdUntil === null, why],
    'give-up-waiting',
  );
  const [fresh] = await tx.query<{ looked: number; upTo: number | null; count: number }>(
    `with next as materialized (
       select * from event where tenant_id = $1 and sequence > $3
       order by sequence limit ${AT_ONCE_MAX}),
     looked as materialized (
       select * from next where $4::timestamptz is null or sequence < coalesce(
         (select min(sequence) from next where created_at > $4), 9007199254740991)),
     given_up as (
       insert into callback_delivery (tenant_id, event_id, endpoint_id, lane, state, give_up_at,
         settled_at, last_error)
       select $1, e.id, $2, coalesce(e.customer_id, 0), 'GivenUp', $5,
              ${settledNow('$5')}, $6
       from looked e
       join callback_subscription s on s.tenant_id = $1 and s.endpoint_id = $2
         and s.event_type = e.type and e.id > s.after_event_id
         and (s.until_event_id is null or e.id < s.until_event_id)
       on conflict do nothing returning 1)
     select (select count(*) from looked) as looked, (select count(*) from given_up) as count,
            (select max(sequence) from looked) as up_to`,
    [tx.tenantId, endpointId, cursor, createdUntil, now, why],
    'give-up-fresh',
  );
  if (fresh?.upTo != null) {
    await tx.query(
      'update callback_endpoint set cursor = greatest(cursor, $3) where tenant_id = $1 and id = $2',
      [tx.tenantId, endpointId, fresh.upTo],
    );
  }
  return (waiting?.count ?? 0) + (fresh?.looked ?? 0);
}

/** A lane of an endpoint in which something is sent again. */
export type LaneAgain = RowOf<typeof CallbackDelivery, 'endpointId' | 'lane'>;

/**
 * Has each endpoint that subscribes to their types get events again; one that waits already stays as
 * it is. Returns the lanes.
 */
export function sendAgain(tx: Tx, eventIds: readonly number[], until: Date): Promise<LaneAgain[]> {
  return tx.query<LaneAgain & Record<string, unknown>>(
    `with again as (
       insert into callback_delivery (tenant_id, event_id, endpoint_id, lane, state, give_up_at)
       select $1, v.id, e.id, -coalesce(v.customer_id, 0), 'Waiting', $3
       from event v join callback_endpoint e on e.tenant_id = $1 and e.is_on
         and v.type = any(e.events)
       where v.tenant_id = $1 and v.id = any($2)
       order by v.id
       on conflict (tenant_id, event_id, endpoint_id) do update set state = 'Waiting',
         lane = excluded.lane, attempts = 0, retry_at = null, settled_at = null,
         failed_at = null, give_up_at = excluded.give_up_at
         where callback_delivery.state <> 'Waiting'
       returning endpoint_id, lane)
     select distinct endpoint_id, lane from again`,
    [tx.tenantId, eventIds, until],
    'send-again',
  );
}

/* Has an endpoint get again what was given up. */

interface Resumption {
  readonly endpointId: number;
  readonly reason: string;
  readonly now: Date;
  /** The new instant of giving up. */
  readonly until: Date;
}

const resumptionRow = oneRow({
  into: CallbackResumption,
  columns: ['endpointId', 'reason', 'events', 'resumedAt'],
});

/** Returns the number of events that are sent again; the first of each lane is due at once. */
export async function resumeGivenUp(tx: Tx, resumption: Resumption): Promise<number> {
  const { endpointId, reason, now, until } = resumption;
  let events = 0;
  for (let last = AT_ONCE_MAX; last === AT_ONCE_MAX; events += last) {
    last = await resumeNext(tx, { endpointId, until });
  }
  const row = { endpointId, reason, events, resumedAt: now };
  await tx.query(resumptionRow.text, resumptionRow.values(tx.tenantId, row), 'note-resumption');
  await tx.query(
    `update callback_endpoint set paused_until = null where tenant_id = $1 and id = $2`,
    [tx.tenantId, endpointId],
  );
  makeAllDue(tx, endpointId, now);
  tx.send(
    `update callback_delivery d set retry_at = $3
     from (select lane, min(event_id) as event_id from callback_delivery
           where tenant_id = $1 and endpoint_id = $2 and state = 'Waiting' group by lane) first
     where d.tenant_id = $1 and d.endpoint_id = $2 and d.event_id = first.event_id
       and d.retry_at is null`,
    [tx.tenantId, endpointId, now],
    'promote-all-lanes',
  );
  return events;
}

async function resumeNext(
  tx: Tx,
  { endpointId, until }: Pick<Resumption, 'endpointId' | 'until'>,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with again as (
       update callback_delivery d set state = 'Waiting', settled_at = null, retry_at = null,
         attempts = 0, failed_at = null, give_up_at = $3, lane = -abs(d.lane)
       where d.tenant_id = $1 and d.endpoint_id = $2 and d.state = 'GivenUp'
         and d.event_id = any(array(
           select event_id from callback_delivery
           where tenant_id = $1 and endpoint_id = $2 and state = 'GivenUp'
           order by event_id limit ${AT_ONCE_MAX}))
       returning 1)
     select count(*) from again`,
    [tx.tenantId, endpointId, until],
    'resume-given-up',
  );
  return row?.count ?? 0;
}

/** Makes due what waits for a later instant. */
function makeAllDue(tx: Tx, endpointId: number, now: Date): void {
  tx.send(
    `update callback_delivery set retry_at = $3
     where tenant_id = $1 and endpoint_id = $2 and retry_at > $3`,
    [tx.tenantId, endpointId, now],
    'make-all-due',
  );
}
