/** Turns the callbacks of a tenant file into endpoints, and notes what each one subscribes to. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { StoredFile } from './stored.ts';

interface EndpointRow {
  readonly id: number;
  readonly isNew: boolean;
}

/**
 * An endpoint keeps its id as long as its url is the same, also while the file does not name it. One
 * that the file no longer names is off, and so is one without a secret.
 */
export async function applyCallbacks(
  tx: Tx,
  { tenant, callbacks }: Pick<StoredFile, 'tenant' | 'callbacks'>,
): Promise<void> {
  const wanted = JSON.stringify(
    callbacks.map(({ url, events, secret }) => ({ url, events, secret: secret?.sealed ?? null })),
  );
  const written = await tx.query<EndpointRow & Record<string, unknown>>(
    `insert into callback_endpoint (tenant_id, url, events, secret, is_on, cursor)
     select $1, w.url, w.events, w.secret, w.secret is not null,
            (select coalesce(max(sequence), 0) from event
             where tenant_id = $1 and sequence is not null)
     from json_to_recordset($2) as w(url text, events text[], secret text)
     order by w.url
     on conflict (tenant_id, url) do update set events = excluded.events,
       secret = excluded.secret, is_on = excluded.is_on
       where (callback_endpoint.events, callback_endpoint.secret, callback_endpoint.is_on)
         is distinct from (excluded.events, excluded.secret, excluded.is_on)
     returning id, xmax = 0 as "isNew"`,
    [tx.tenantId, wanted],
  );
  const off = await tx.query<{ id: number }>(
    `update callback_endpoint set is_on = false, secret = null
     where tenant_id = $1 and (is_on or secret is not null)
       and url not in (select w.url from json_to_recordset($2) as w(url text))
     returning id`,
    [tx.tenantId, wanted],
  );
  await subscribe(tx);
  // One that is off settles what it still owed.
  const changed = [...written.filter(({ isNew }) => !isNew), ...off];
  enqueue(
    { tx, tenant: { label: tenant } },
    changed.map(({ id }) => ({ kind: 'callbacks', objectId: id })),
  );
}

/**
 * Ends and begins subscriptions at an id of the sequence that gives events theirs: what was raised
 * before belongs to the time before.
 */
async function subscribe(tx: Tx): Promise<void> {
  await tx.query(
    `update callback_subscription s set until_event_id = nextval('id_seq')
     from callback_endpoint e
     where s.tenant_id = $1 and s.until_event_id is null and e.tenant_id = $1
       and e.id = s.endpoint_id and not (e.is_on and s.event_type = any(e.events))`,
    [tx.tenantId],
  );
  await tx.query(
    `insert into callback_subscription (tenant_id, endpoint_id, event_type, after_event_id)
     select e.tenant_id, e.id, type, nextval('id_seq')
     from callback_endpoint e, unnest(e.events) type
     where e.tenant_id = $1 and e.is_on and not exists (
       select from callback_subscription s where s.tenant_id = $1 and s.endpoint_id = e.id
         and s.event_type = type and s.until_event_id is null)`,
    [tx.tenantId],
  );
}
