/** The callbacks of a tenant file become endpoints. */
import test from 'ava';
import { createVault } from '../../../providers/vault.ts';
import { secretContext } from '../../../db/entities/sealed.ts';
import {
  bench,
  callbackSecret,
  secretKey,
  smallest,
  textOf,
  type Bench,
  type Draft,
} from './support.ts';

const url = 'https://hooks.example.com/a';
const hook = (more: Draft = {}): Draft => ({
  url,
  secret: callbackSecret,
  events: ['invoice.paid', 'invoice.created'],
  ...more,
});
const shop = (...callbacks: readonly Draft[]): Draft => ({ ...smallest, callbacks });

interface Row extends Record<string, unknown> {
  readonly id: number;
  readonly url: string;
  readonly secret: string | null;
}

const rowsOf = (it: Bench) =>
  it.in('tiny', (tx) =>
    tx.query<Row>('select id, url, secret, is_on, events from callback_endpoint order by id'),
  );

/** `invoice.paid on`, `invoice.paid over`: each subscription, by its beginning. */
const subscriptionsOf = (it: Bench) =>
  it
    .in('tiny', (tx) =>
      tx.query<{ text: string }>(
        `select event_type || case when until_event_id is null then ' on' else ' over' end as text
         from callback_subscription order by after_event_id`,
      ),
    )
    .then((rows) => rows.map(({ text }) => text));

test('an endpoint is made, with its secret encrypted', async (t) => {
  const it = await bench(t);
  t.deepEqual(await it.changes(shop(hook())), ['tenant tiny: created', `callback ${url}: created`]);
  const [row] = await rowsOf(it);
  t.like(row, { url, isOn: true, events: ['invoice.paid', 'invoice.created'] });
  const context = secretContext('tiny', { callbackUrl: url });
  t.is(createVault(secretKey).open(row?.secret ?? '', context), callbackSecret);
  t.deepEqual((await subscriptionsOf(it)).toSorted(), ['invoice.created on', 'invoice.paid on']);
});

test('an endpoint keeps its id when its events or secret change, and when it comes back', async (t) => {
  const it = await bench(t);
  await it.changes(shop(hook()));
  const [first] = await rowsOf(it);
  const secret = `whsec_${Buffer.from('another').toString('base64')}`;
  await it.changes(shop(hook({ events: ['invoice.paid', 'payment.failed'], secret })));
  const [changed] = await rowsOf(it);
  t.like(changed, { id: first?.id, isOn: true, events: ['invoice.paid', 'payment.failed'] });
  t.not(changed?.secret, first?.secret);
  t.deepEqual((await subscriptionsOf(it)).toSorted(), [
    'invoice.created over',
    'invoice.paid on',
    'payment.failed on',
  ]);
  await it.changes(shop());
  t.like((await rowsOf(it))[0], { id: first?.id, isOn: false, secret: null });
  t.true((await subscriptionsOf(it)).every((text) => text.endsWith(' over')));
  await it.changes(shop(hook()));
  const rows = await rowsOf(it);
  t.is(rows.length, 1);
  t.like(rows[0], { id: first?.id, isOn: true });
});

test('applying the same file again changes no endpoint', async (t) => {
  const it = await bench(t);
  await it.changes(shop(hook(), hook({ url: `${url}b` })));
  const before = [await rowsOf(it), await subscriptionsOf(it)];
  t.deepEqual(await it.changes(shop(hook({ url: `${url}b` }), hook())), []);
  t.deepEqual([await rowsOf(it), await subscriptionsOf(it)], before);
});

test('a callback whose secret is unset is off, and a secret that is stored is kept', async (t) => {
  const it = await bench(t);
  const fromEnvironment = shop(hook({ secret: { env: 'DEMO_CALLBACK_SECRET' } }));
  const unset = { secretOf: () => undefined };
  const first = await it.apply(textOf(fromEnvironment), unset);
  t.deepEqual(first.isValid && first.warnings.map(({ path }) => path), ['callbacks[0].secret']);
  t.like((await rowsOf(it))[0], { isOn: false, secret: null });
  t.deepEqual(await subscriptionsOf(it), []);
  await it.changes(fromEnvironment);
  const [set] = await rowsOf(it);
  t.like(set, { isOn: true });
  await it.apply(textOf(fromEnvironment), unset);
  t.deepEqual((await rowsOf(it))[0], set);
  const strict = await it.apply(textOf(fromEnvironment), { ...unset, isStrict: true });
  t.deepEqual(!strict.isValid && strict.mistakes.map(({ path }) => path), ['callbacks[0].secret']);
});

test('a dry run makes no endpoint', async (t) => {
  const it = await bench(t);
  await it.changes(shop());
  await it.changes(shop(hook()), { isDryRun: true });
  t.deepEqual(await rowsOf(it), []);
});

test('a private address is a mistake, named by its path, unless private ones are allowed', async (t) => {
  const it = await bench(t);
  const message =
    'is a private address: set CALLBACK_ALLOW_PRIVATE=true for this command and for the worker, or take a public one';
  const hosts = [
    'localhost',
    'a.localhost',
    '127.0.0.1',
    '10.1.2.3',
    '[::1]',
    '[fe80::1]',
    '127.1',
  ];
  for (const host of hosts) {
    const draft = shop(hook(), hook({ url: `http://${host}:8080/` }));
    t.deepEqual(await it.mistakes(draft), [`callbacks[1].url: ${message}`], host);
  }
  const local = shop(hook({ url: 'http://127.0.0.1:8080/' }));
  await it.changes(local, { allowPrivateCallbacks: true });
  t.like((await rowsOf(it))[0], { isOn: true });
});

test('a URL that is none, a secret that is none, and too many endpoints are named', async (t) => {
  const it = await bench(t);
  const form = 'must be an address that begins with https:// or http://, without credentials';
  for (const wrong of [
    'hooks.example.com',
    'https://',
    'ftp://a.example/',
    'https://u:p@a.example/',
  ]) {
    t.deepEqual(
      await it.mistakes(shop(hook({ url: wrong }))),
      [`callbacks[0].url: ${form}`],
      wrong,
    );
  }
  const secretForm = 'must have the form whsec_ followed by base64';
  for (const wrong of ['secret', 'whsec_', 'whsec_no base64', 'whsec_abc']) {
    const mistakes = await it.mistakes(shop(hook({ secret: wrong })));
    t.deepEqual(mistakes, [`callbacks[0].secret: ${secretForm}`], wrong);
  }
  const many = Array.from({ length: 17 }, (_, index) => hook({ url: `${url}${index}` }));
  t.deepEqual(await it.mistakes(shop(...many)), ['callbacks: must have at most 16 endpoints']);
});
