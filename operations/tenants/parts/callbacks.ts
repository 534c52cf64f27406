/** The endpoints that receive a tenant's events, and what each one subscribes to. */
import { z } from 'zod';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { eventTypes } from '../../../domain/events/events.ts';
import { isPrivateHost } from '../../../providers/callbacks/line.ts';
import { enqueue } from '../../outbox/enqueue.ts';
import { type Change, itemChanges } from '../file/changes.ts';
import { checkRepeats, checkUnique } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import {
  type SecretForm,
  type SecretPlace,
  type StoredSecret,
  type Storing,
  sealed,
  withheldSecret,
} from '../file/secrets.ts';
import { given, insertText } from '../../../db/queries/context/insertion.ts';
import { CallbackEndpoint } from '../../../db/entities/events.ts';

/** Each takes a place of the workers while it is slow. */
const CALLBACKS_MAX = 16;

const callback = z.strictObject({
  url: kind
    .webAddress()
    .describe(
      'The address that receives events. Unique; https recommended. Not private or loopback, unless ' +
        '`CALLBACK_ALLOW_PRIVATE` is set.',
    ),
  secret: kind.secret().describe('Signs the posts: `whsec_` followed by base64. Stored encrypted.'),
  events: z.array(kind.choice(eventTypes)).min(1, 'must name at least one event'),
});

type Callback = z.output<typeof callback>;
type LooseCallbacks = Loose<{ readonly callbacks: readonly Callback[] }>;
type StoredCallback = Omit<Callback, 'secret'> & { readonly secret: StoredSecret };

/** Standard Webhooks' form of a secret. */
const standardSecret = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const form: SecretForm = {
  holds: (clear) => clear !== 'whsec_' && standardSecret.test(clear),
  message: 'must have the form whsec_ followed by base64',
};

export interface CallbackOptions {
  /** Callbacks may go to addresses that are not public; false by default. */
  readonly allowPrivateCallbacks?: boolean;
}

export const callbacks = {
  schema: z
    .array(callback)
    .max(CALLBACKS_MAX, `must have at most ${CALLBACKS_MAX} endpoints`)
    .default([])
    .describe('Endpoints that receive events.'),
  check: (
    { callbacks: given }: LooseCallbacks,
    report: Report,
    { allowPrivateCallbacks = false }: CallbackOptions,
  ): void => {
    checkUnique(given, 'url', ['callbacks'], report);
    given?.forEach((each, index) => {
      checkRepeats(each?.events, ['callbacks', index, 'events'], report);
      if (!allowPrivateCallbacks) checkHost(each?.url, index, report);
    });
  },
  secrets: ({ callbacks: given }: LooseCallbacks): SecretPlace[] =>
    (given ?? []).map((each, index) => ({
      path: ['callbacks', index, 'secret'],
      secret: each?.secret,
      mayBeUnset: true,
      form,
    })),
  store: (value: readonly Callback[], storing: Storing<readonly StoredCallback[]>) =>
    value.map((each, index): StoredCallback => {
      const before = storing.previous?.find(({ url }) => url === each.url)?.secret;
      const path = ['callbacks', index, 'secret'];
      return { ...each, secret: sealed(storing, { path, holder: each, before }) };
    }),
  changes: itemChanges<StoredCallback>('callback', ({ url }) => url),
  show: (stored: readonly StoredCallback[]) =>
    stored.map((each) => ({ ...each, secret: withheldSecret(each.secret) })),
  apply: applyCallbacks,
};

/** What a name resolves to is checked when a callback is sent. */
function checkHost(url: string | undefined, index: number, report: Report): void {
  if (url === undefined || !URL.canParse(url) || !isPrivateHost(url)) return;
  const message =
    'is a private address: set CALLBACK_ALLOW_PRIVATE=true for this command and for the worker, or take a public one';
  report(['callbacks', index, 'url'], message);
}

interface CallbacksToApply {
  readonly stored: { readonly tenant: string; readonly callbacks: readonly StoredCallback[] };
}

interface EndpointRow {
  readonly id: number;
  readonly isNew: boolean;
}

const upsertEndpoints = insertText({
  into: CallbackEndpoint,
  columns: ['url', 'events', 'secret'],
  values: {
    isOn: 'r.secret is not null',
    cursor: `(select coalesce(max(sequence), 0) from event
      where tenant_id = $1 and sequence is not null)`,
  },
  ending: `order by r.url
    on conflict (tenant_id, url) do update set events = excluded.events,
      secret = excluded.secret, is_on = excluded.is_on
      where (callback_endpoint.events, callback_endpoint.secret, callback_endpoint.is_on)
        is distinct from (excluded.events, excluded.secret, excluded.is_on)
    returning id, xmax = 0 as is_new`,
});
const urls = given(CallbackEndpoint, ['url']);

/**
 * An endpoint keeps its id as long as its url is the same, also while the file does not name it. One
 * that the file no longer names is off, and so is one without a secret.
 */
async function applyCallbacks(tx: Tx, { stored }: CallbacksToApply): Promise<Change[]> {
  const wanted = JSON.stringify(
    stored.callbacks.map(({ url, events, secret }) => ({
      url,
      events,
      secret: secret?.sealed ?? null,
    })),
  );
  const written = await tx.query<EndpointRow & Record<string, unknown>>(upsertEndpoints, [
    tx.tenantId,
    wanted,
  ]);
  const off = await tx.query<{ id: number }>(
    `update callback_endpoint set is_on = false, secret = null
     where tenant_id = $1 and (is_on or secret is not null)
       and url not in (select r.url from ${urls.recordset})
     returning id`,
    [tx.tenantId, wanted],
  );
  await subscribe(tx);
  // One that is off settles what it still owed.
  const changed = [...written.filter(({ isNew }) => !isNew), ...off];
  enqueue(
    { tx, tenant: { label: stored.tenant } },
    changed.map(({ id }) => ({ kind: 'callbacks', objectId: id })),
  );
  return [];
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
