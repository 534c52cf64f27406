/** What an endpoint is still to be sent: deliveries that are due again, and new events. */
import type { Epoch } from '../../../domain/callbacks/webhook-id.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { type CallbackEndpoint, Event } from '../../entities/events.ts';
import type { RowOf } from '../../entities/rows.ts';
import type { Tenant } from '../../entities/tenants.ts';
import { given } from '../context/insertion.ts';
import type { NumberedEvent } from '../events/number.ts';

export type EndpointRow = RowOf<
  typeof CallbackEndpoint,
  | 'id'
  | 'url'
  | 'isOn'
  | 'atOnce'
  | 'outages'
  | 'failingSince'
  | 'pausedUntil'
  | 'lastError'
  /** Encrypted. */
  | 'secret'
  /** The sequence of the last event that was looked at. */
  | 'cursor'
> &
  RowOf<typeof Tenant, 'label'> & { readonly epochs: readonly Epoch[] };

export async function readEndpoint(tx: Tx, id: number): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow & Record<string, unknown>>(
    `select e.id, t.label, e.url, e.secret, e.is_on, e.cursor, e.at_once,
            e.outages, e.failing_since, e.paused_until,
            e.last_error,
            (select coalesce(json_agg(json_build_object('epoch', r.epoch, 'firstId', r.first_id)
                       order by r.epoch), '[]')
             from restoration r where r.tenant_id = e.tenant_id) as epochs
     from callback_endpoint e join tenant t on t.id = e.tenant_id
     where e.tenant_id = $1 and e.id = $2`,
    [tx.tenantId, id],
    'callback-endpoint',
  );
  return row;
}

/** An event that is owed to the endpoint, and how far its delivery is. */
export interface OwedEvent extends RowOf<
  typeof Event,
  'type' | 'customerId' | 'customerSequence' | 'objectId' | 'objectVersion' | 'createdAt'
> {
  readonly eventId: number;
  /** The tenant's number of the event. */
  readonly sequence: number;
  readonly lane: number;
  readonly attempts: number;
  readonly giveUpAt: Date | null;
  /** Its first failure. */
  readonly failedAt: Date | null;
  readonly lastError: string | null;
  /** A document was kept with the event. */
  readonly isKept: boolean;
  /** That document; null also where it is too large to be read together with others. */
  readonly document: unknown;
  /** An earlier event of its lane waits. */
  readonly isBehind: boolean;
}

/** Larger ones are read one by one, when their turn comes. */
const DOCUMENT_BYTES_TOGETHER_MAX = 16_384;

const eventColumns = `e.id as event_id, e.type, e.customer_id,
  e.customer_sequence, e.object_id,
  e.object_version, e.created_at, e.sequence,
  k.event_id is not null as is_kept,
  case when pg_column_size(k.document) <= ${DOCUMENT_BYTES_TOGETHER_MAX} then k.document end as document`;

const withDocument = `left join event_document k on k.tenant_id = e.tenant_id and k.event_id = e.id`;

export interface DueChoice {
  readonly endpointId: number;
  readonly now: Date;
  readonly lanesMax: number;
  readonly eventsPerLaneMax: number;
}

/** The lanes whose first delivery is due, the one that waits longest first, and those behind it. */
export function readDue(tx: Tx, choice: DueChoice): Promise<OwedEvent[]> {
  const { endpointId, now, lanesMax, eventsPerLaneMax } = choice;
  return tx.query<OwedEvent & Record<string, unknown>>(
    `select ${eventColumns}, d.lane, d.attempts, d.give_up_at,
            d.failed_at, d.last_error, false as is_behind
     from (
       select lane, min(retry_at) as retry_at from (
         select lane, retry_at from callback_delivery
         where tenant_id = $1 and endpoint_id = $2 and retry_at <= $3
         order by retry_at limit $4) due
       group by lane) first
     cross join lateral (
       select * from callback_delivery own
       where own.tenant_id = $1 and own.endpoint_id = $2 and own.lane = first.lane
         and own.state = 'Waiting'
       order by own.event_id limit $5) d
     join event e on e.tenant_id = $1 and e.id = d.event_id ${withDocument}
     order by first.retry_at, d.lane, d.event_id`,
    [tx.tenantId, endpointId, now, lanesMax, eventsPerLaneMax],
    'callbacks-due',
  );
}

export interface FreshChoice {
  readonly endpointId: number;
  readonly cursor: number;
  readonly eventsMax: number;
}

export interface FreshEvents {
  readonly events: readonly OwedEvent[];
  /** The last event that was looked at; the cursor if there was none. */
  readonly upTo: number;
  /** There may be events after it. */
  readonly hasMore: boolean;
}

/** Events of all types that are looked at in one step: twice as many as one step may send. */
const LOOKED_AT_MAX = 512;

/** An event is owed if the endpoint subscribed to its type when it was raised. */
const owed = `join callback_subscription s on s.tenant_id = e.tenant_id and s.endpoint_id = $2
    and s.event_type = e.type and e.id > s.after_event_id
    and (s.until_event_id is null or e.id < s.until_event_id)`;

const undelivered = `not exists (select from callback_delivery d
    where d.tenant_id = e.tenant_id and d.event_id = e.id and d.endpoint_id = $2)`;

/** The next events after the cursor, in the tenant's order. */
export async function readFresh(tx: Tx, choice: FreshChoice): Promise<FreshEvents> {
  const { endpointId, cursor, eventsMax } = choice;
  const looking = tx.query<{ last: number | null; count: number }>(
    `select max(sequence) as last, count(*) as count from (
       select sequence from event where tenant_id = $1 and sequence > $2
       order by sequence limit $3) looked`,
    [tx.tenantId, cursor, LOOKED_AT_MAX],
    'callbacks-look',
  );
  const reading = tx.query<OwedEvent & Record<string, unknown>>(
    `with looked as materialized (
       select * from event where tenant_id = $1 and sequence > $3 order by sequence limit $4)
     select ${eventColumns}, coalesce(e.customer_id, 0) as lane, 0 as attempts,
            null::timestamptz as give_up_at, null::timestamptz as failed_at,
            null as last_error, exists (
              select from callback_delivery w where w.tenant_id = $1 and w.endpoint_id = $2
                and w.lane = coalesce(e.customer_id, 0) and w.state = 'Waiting') as is_behind
     from looked e ${owed} ${withDocument}
     where ${undelivered} order by e.sequence limit $5`,
    [tx.tenantId, endpointId, cursor, LOOKED_AT_MAX, eventsMax],
    'callbacks-fresh',
  );
  const [[looked], events] = await Promise.all([looking, reading]);
  const last = events.at(-1);
  if (last && events.length === eventsMax) return { events, upTo: last.sequence, hasMore: true };
  const { last: upTo, count } = looked ?? { last: null, count: 0 };
  return { events, upTo: upTo ?? cursor, hasMore: count === LOOKED_AT_MAX };
}

/** A document that was too large to be read together with others. */
export async function readDocument(tx: Tx, eventId: number): Promise<unknown> {
  const [row] = await tx.query<{ document: unknown }>(
    'select document from event_document where tenant_id = $1 and event_id = $2',
    [tx.tenantId, eventId],
    'callback-document',
  );
  return row?.document;
}

/** What an endpoint waits for. */
export interface Outlook {
  readonly waiting: number;
  readonly givenUp: number;
  /** The creation of the oldest event that waits. */
  readonly oldestAt: Date | null;
  readonly retryAt: Date | null;
}

/** Counts up to the given number, so that a look at a backlog costs no more than at a few. */
export async function readOutlook(
  tx: Tx,
  endpointId: number,
  countedMax: number,
): Promise<Outlook> {
  const [row] = await tx.query<Outlook & Record<string, unknown>>(
    `with delivery as not materialized (
       select state, event_id, retry_at from callback_delivery
       where tenant_id = $1 and endpoint_id = $2)
     select (select count(*) from (select from delivery where state = 'Waiting' limit $3) w)
              as waiting,
            (select min(retry_at) from delivery where retry_at is not null) as retry_at,
            (select e.created_at from event e where e.tenant_id = $1
               and e.id = (select min(event_id) from delivery where state = 'Waiting'))
              as oldest_at,
            (select count(*) from (select from delivery where state = 'GivenUp' limit $3) g)
              as given_up`,
    [tx.tenantId, endpointId, countedMax],
    'callback-outlook',
  );
  return row ?? { waiting: 0, givenUp: 0, oldestAt: null, retryAt: null };
}

/* Which endpoints need their workflow. */

/** The first and the last event of a type. */
const spans = given(Event, { type: 'type', first: 'id', last: 'id' });

/** The endpoints to which one of these events is owed. */
export async function subscribedEndpoints(
  tx: Tx,
  events: readonly NumberedEvent[],
): Promise<readonly number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct s.endpoint_id as id from callback_subscription s
     join ${spans.recordset} on r.type = s.event_type and r.last > s.after_event_id
       and (s.until_event_id is null or r.first < s.until_event_id)
     where s.tenant_id = $1 order by 1`,
    [tx.tenantId, spans.json(spansOf(events))],
    'subscribed-endpoints',
  );
  return rows.map(({ id }) => id);
}

function spansOf(events: readonly NumberedEvent[]) {
  return [...Map.groupBy(events, ({ type }) => type)].map(([type, own]) => {
    const ids = own.map(({ id }) => id);
    return { type, first: Math.min(...ids), last: Math.max(...ids) };
  });
}

/** The condition of an endpoint that has something to send, or to have sent again. */
export const hasSomething = `(
  exists (select from callback_delivery d where d.tenant_id = e.tenant_id
    and d.endpoint_id = e.id and d.state = 'Waiting')
  or (e.is_on and exists (select from callback_delivery d where d.tenant_id = e.tenant_id
    and d.endpoint_id = e.id and d.state = 'GivenUp'))
  or exists (select from event v
    join callback_subscription s on s.tenant_id = v.tenant_id and s.endpoint_id = e.id
      and s.event_type = v.type and v.id > s.after_event_id
      and (s.until_event_id is null or v.id < s.until_event_id)
    where v.tenant_id = e.tenant_id and v.sequence > e.cursor and not exists (
      select from callback_delivery d where d.tenant_id = v.tenant_id and d.event_id = v.id
        and d.endpoint_id = e.id)))`;
