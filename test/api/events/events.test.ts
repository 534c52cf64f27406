/** The feed of events, and sending one again. */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { sequenceTenant } from '../../../operations/events/sequencer.ts';
import { numberedHooks } from '../../../operations/feed/numbered-hooks.ts';
import { refused, startTenantApi, valueOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();

const customerOf = (ref: string) =>
  `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact><firstName>Ada</firstName>
   <lastName>Field</lastName></billingContact></customer>`;

/** As the worker does all the time. */
async function number(own: TenantApi): Promise<void> {
  const dependencies = { db: own.db, realNow: Date.now };
  const rest = { relayDb: own.db, dispatch: () => undefined, onError: () => undefined };
  await sequenceTenant({ dependencies, hooks: numberedHooks, ...rest }, own.tenantId);
}

/** The values of an attribute, in order. */
function attributesOf(body: string, element: string, attribute: string): string[] {
  const pattern = new RegExp(`<${element} [^>]*?${attribute}="([^"]*)"`, 'g');
  return [...body.matchAll(pattern)].map(([, value = '']) => value);
}

async function withEvents(): Promise<{ own: TenantApi; id: string }> {
  const own = await api.another();
  const made = await own.post('/customers', customerOf('C'));
  const id = String(valueOf(made.body, 'customer@id'));
  await own.post(`/customer/${id}?actionName=suspend`);
  await number(own);
  return { own, id };
}

test('the feed lists numbered events with their customer and object', async (t) => {
  const { own, id } = await withEvents();
  const first = await own.get('/events?after=0&max=1');
  t.is(first.status, 200);
  const event = valueOf(first.body, 'event@id');
  t.is(
    first.body.replace(/^<\?xml.*\?>\n/, ''),
    `<list><event id="${event}" sequence="1" type="customer.created"><customer id="${id}"/>` +
      `<object id="${id}" type="customer"/><dateCreated>2027-01-01</dateCreated></event></list>`,
  );
  const rest = await own.get('/events?after=1');
  t.deepEqual(attributesOf(rest.body, 'event', 'type'), [
    'customer.transition',
    'customer.updated',
  ]);
  t.deepEqual(attributesOf(rest.body, 'event', 'sequence'), ['2', '3']);
  t.deepEqual(attributesOf(rest.body, 'object', 'type'), ['customerTransition', 'customer']);
  t.regex((await own.get('/events?after=3')).body, /<list\/>$/);
  t.is(attributesOf((await own.get('/events')).body, 'event', 'id').length, 3);
});

test('an event that is not numbered yet is in no page', async (t) => {
  const { own } = await withEvents();
  await own.post('/customers', customerOf('D'));
  t.regex((await own.get('/events?after=3')).body, /<list\/>$/);
  await number(own);
  t.deepEqual(attributesOf((await own.get('/events?after=3')).body, 'event', 'sequence'), ['4']);
});

test('pages follow each other without repeats and omissions', async (t) => {
  const { own } = await withEvents();
  for (const ref of ['E', 'F', 'G', 'H']) await own.post('/customers', customerOf(ref));
  await number(own);
  const seen: string[] = [];
  for (let after = '0'; ;) {
    const page = attributesOf(
      (await own.get(`/events?after=${after}&max=2`)).body,
      'event',
      'sequence',
    );
    if (page.length === 0) break;
    seen.push(...page);
    after = seen.at(-1) ?? '';
  }
  t.deepEqual(seen, ['1', '2', '3', '4', '5', '6', '7']);
});

test('parameters outside of their range, and unknown ones, are refused', async (t) => {
  const { own } = await withEvents();
  refused(t, await own.get('/events?after=-1'), 400, 'query.range after');
  refused(t, await own.get('/events?max=1001'), 400, 'query.range max');
  refused(t, await own.get('/events?after=first'), 400, 'query.invalid after');
  refused(t, await own.get('/events?since=1'), 400, 'query.unknown since');
  refused(t, await own.get('/events?offset=1'), 400, 'query.unknown offset');
});

interface Request {
  readonly event: number;
  readonly taken: boolean;
}

const requests = (own: TenantApi): Promise<Request[]> =>
  inTenant(
    own.db,
    own.tenantId,
    (tx) =>
      tx.query<Request & Record<string, unknown>>(
        'select event_id as event, taken_at is not null as taken from event_resend order by id',
      ),
    { readOnly: true },
  );

test('an event is sent again once for each time it is asked for', async (t) => {
  const { own } = await withEvents();
  const event = Number(valueOf((await own.get('/events?max=1')).body, 'event@id'));
  const again = await own.post(`/events/${event}?action=resend`);
  t.is(again.status, 202);
  t.is(valueOf(again.body, 'event@sequence'), '1');
  t.is((await own.post(`/events/${event}?action=resend`)).status, 202);
  t.deepEqual(await requests(own), [{ event, taken: false }], 'the first request is still open');
  await number(own);
  t.deepEqual(await requests(own), [{ event, taken: true }]);
  await own.post(`/events/${event}?action=resend`);
  t.deepEqual(await requests(own), [
    { event, taken: true },
    { event, taken: false },
  ]);
});

test('an unknown event, and another action, are refused', async (t) => {
  const { own } = await withEvents();
  refused(t, await own.post('/events/999999?action=resend'), 404, 'event.unknown');
  const event = valueOf((await own.get('/events?max=1')).body, 'event@id');
  t.is((await own.post(`/events/${event}`)).status, 400);
  t.is((await own.post(`/events/${event}?action=send`)).status, 400);
  t.is((await own.get(`/events/${event}`)).status, 405);
  t.deepEqual(await requests(own), []);
});

test('the id of another tenant’s event is unknown, and counts as an attempt', async (t) => {
  const { own: other } = await withEvents();
  const event = valueOf((await other.get('/events?max=1')).body, 'event@id');
  const crossTenantAttempts = { max: 2, withinMinutes: 60 };
  const own = await api.another({ file: { settings: { crossTenantAttempts } } });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    refused(t, await own.post(`/events/${event}?action=resend`), 404, 'event.unknown');
  }
  refused(t, await own.get('/plans'), 401, 'auth.invalid');
  t.deepEqual(await requests(other), []);
});

test('a call keeps the document of an event that a callback subscribes to', async (t) => {
  const secret = 'whsec_c3VuZGlhbC1zZWNyZXQtb2YtYS10ZXN0';
  const callbacks = [{ url: 'https://example.com/hook', events: ['customer.created'], secret }];
  const own = await api.another({ file: { callbacks } });
  const made = [
    await own.post('/customers', customerOf('WITHOUT')),
    await own.call('POST', '/customers', {
      body: customerOf('WITH'),
      headers: { 'Idempotency-Key': 'one' },
    }),
  ];
  const kept = await inTenant(own.db, own.tenantId, (tx) =>
    tx.query<{ id: string; ref: string }>(
      `select document->>'id' as id, document->>'extCustomerRef' as ref
       from event_document order by event_id`,
    ),
  );
  t.deepEqual(
    kept,
    ['WITHOUT', 'WITH'].map((ref, index) => ({
      id: String(valueOf(made[index]?.body ?? '', 'customer@id')),
      ref,
    })),
  );
});
