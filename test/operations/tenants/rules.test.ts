/** What a later file may not change, and what happens to users and secrets. */
import test from 'ava';
import { verifyPassword } from '../../../operations/access/passwords.ts';
import { secretContext } from '../../../db/entities/sealed.ts';
import { readShownFile } from '../../../operations/tenants/show.ts';
import { createVault } from '../../../providers/vault.ts';
import {
  bench,
  callbackSecret,
  draftOf,
  everythingStored,
  sample,
  secretKey,
  smallest,
  spoiled,
  textOf,
  type Bench,
  type Draft,
} from './support.ts';

const plan = {
  contractCode: 'A',
  name: 'A',
  billingPeriod: 'Monthly',
  charges: [
    { priceCode: 'F', chargeType: 'RecurringCharge', pricingType: 'FixedPricing', price: '1' },
  ],
};
const shop: Draft = { ...smallest, plans: [plan] };

/**
 * As an order would: an assigned number, and a row that bills in the tenant's zone and currency.
 */
async function makeOrder(bench: Bench, number: number): Promise<void> {
  await bench.in('tiny', async (tx) => {
    await tx.query(
      `with c as (
         insert into customer (tenant_id, name, status, currency, created_at, updated_at)
         values ($1, 'C', 'Active', 'EUR', now(), now()) returning id)
       insert into subscription_order (tenant_id, order_number, status, customer_id, plan_id,
         currency, start_date, term_start, is_auto_renew, anchor, separate_invoice, is_auto_pay,
         created_at, updated_at)
       select $1, $2, 'Active', c.id, p.id, 'EUR', '2027-03-01', '2027-03-01', true,
         '2027-03-01', 0, false, now(), now() from c, plan p where p.is_newest`,
      [tx.tenantId, number],
    );
    await tx.query(`update counter set next = $1 where kind = 'order'`, [number + 1]);
  });
}

test('a test clock is started once: applying again never moves it, and reports that', async (t) => {
  const { apply, changes, in: inLabel } = await bench(t);
  const clocked = { ...shop, testClock: '2027-01-01T12:00:00+01:00' };
  await changes(clocked);
  await inLabel('tiny', (tx) => tx.query(`update test_clock set now = '2027-06-01T00:00:00Z'`));
  t.deepEqual(await changes(clocked), []);
  const applied = await apply(textOf({ ...clocked, testClock: '2028-01-01T00:00:00Z' }));
  if (!applied.isValid) return t.fail();
  t.deepEqual(applied.changes, []);
  t.deepEqual(
    applied.warnings.map(({ path }) => path),
    ['testClock'],
  );
  t.deepEqual(await inLabel('tiny', (tx) => tx.query('select now from test_clock')), [
    { now: new Date('2027-06-01T00:00:00Z') },
  ]);
});

test('a test clock can be neither added nor removed later', async (t) => {
  const { changes, mistakes } = await bench(t);
  await changes(shop);
  t.deepEqual(await mistakes({ ...shop, testClock: '2027-01-01T00:00:00Z' }), [
    'testClock: cannot be added: the tenant lives in real time',
  ]);
  const clocked = { ...shop, tenant: 'clocked', testClock: '2027-01-01T00:00:00Z' };
  await changes(clocked);
  t.deepEqual(await mistakes({ ...shop, tenant: 'clocked' }), [
    'testClock: cannot be removed: the tenant lives on a test clock',
  ]);
});

test('timezone and currency may change until there are orders, and then are fixed', async (t) => {
  const it = await bench(t);
  await it.changes({ ...shop, timezone: 'Asia/Tokyo', currency: 'JPY' });
  t.deepEqual(await it.changes(shop), [
    'timezone: changed',
    'currency: changed',
    'plan A: version 2',
  ]);
  await makeOrder(it, 1001);
  t.deepEqual(await it.mistakes({ ...shop, timezone: 'Asia/Tokyo', currency: 'JPY' }), [
    'timezone: cannot change from Europe/Berlin to Asia/Tokyo: there are orders',
    'currency: cannot change from EUR to JPY: there are orders',
  ]);
  t.deepEqual(await it.changes(shop), []);
});

test('a numbering start may change freely before the first number, then only upwards', async (t) => {
  const it = await bench(t);
  await it.changes({ ...shop, numbering: { order: '5001' } });
  t.deepEqual(await it.changes({ ...shop, numbering: { order: '2001' } }), ['numbering: changed']);
  await makeOrder(it, 2001);
  t.deepEqual(await it.changes({ ...shop, numbering: { order: '2001' } }), []);
  for (const order of ['2000', '1']) {
    t.deepEqual(await it.mistakes({ ...shop, numbering: { order } }), [
      `numbering.order: ${order} is at or below a number in use: the last is 2001`,
    ]);
  }
  t.deepEqual(await it.changes({ ...shop, numbering: { order: '3001', invoice: '7001' } }), [
    'numbering: changed',
  ]);
  t.deepEqual(
    await it.in('tiny', (tx) => tx.query('select kind, next from counter order by kind')),
    [
      { kind: 'invoice', next: 7001 },
      { kind: 'order', next: 3001 },
    ],
  );
});

test('a raised start stays above every assigned number, and the skipped numbers are recorded', async (t) => {
  const it = await bench(t);
  await it.changes({ ...shop, numbering: { order: '1001' } });
  await makeOrder(it, 1001);
  await it.changes({ ...shop, numbering: { order: '5000' } });
  // The file without numbering asks for 1001, which was assigned.
  t.deepEqual(await it.mistakes(shop), [
    'numbering.order: 1001 is at or below a number in use: the last is 1001',
  ]);
  const counters = () =>
    it.in('tiny', (tx) =>
      tx.query(
        `select first, moved_to, next, skipped::text as skipped from counter where kind = 'order'`,
      ),
    );
  const moved = { first: 1001, movedTo: 5000, next: 5000, skipped: '{[1002,5000)}' };
  t.deepEqual(await counters(), [moved]);
  // No number was assigned since, so the start may be lowered again, and raised.
  await it.changes({ ...shop, numbering: { order: '1002' } });
  t.like((await counters())[0], { movedTo: 1002, next: 1002, skipped: '{}' });
  await it.changes({ ...shop, numbering: { order: '3000' } });
  await makeOrder(it, 3000);
  await it.changes({ ...shop, numbering: { order: '4000' } });
  t.like((await counters())[0], { next: 4000, skipped: '{[1002,3000),[3001,4000)}' });
});

test('all refusals of the database are reported together, and nothing is written', async (t) => {
  const it = await bench(t);
  await it.changes(shop);
  await makeOrder(it, 1001);
  const bad = {
    ...shop,
    name: 'Changed',
    testClock: '2027-01-01T00:00:00Z',
    timezone: 'Asia/Tokyo',
    numbering: { order: '1000' },
  };
  t.deepEqual(
    (await it.mistakes(bad)).map((line) => line.replace(/:.*/, '')),
    ['testClock', 'timezone', 'numbering.order'],
  );
  t.deepEqual(await it.in('tiny', (tx) => tx.query('select name, timezone from tenant')), [
    { name: 'Tiny', timezone: 'Europe/Berlin' },
  ]);
});

interface UserRow {
  readonly [column: string]: unknown;
  readonly username: string;
  readonly hash: string;
  readonly disabled: boolean;
  readonly suspended: boolean;
}

async function usersOf(it: Bench): Promise<Record<string, UserRow>> {
  const rows = await it.in('tiny', (tx) =>
    tx.query<UserRow>(
      `select username, password_hash as hash, disabled_at is not null as disabled,
              suspended_at is not null as suspended from base_user`,
    ),
  );
  return Object.fromEntries(rows.map((row) => [row.username, row]));
}

const user = (username: string, password: string, more: Draft = {}) => ({
  username,
  password,
  roles: [],
  ...more,
});

test('a password is hashed when it is new or changed, and otherwise not', async (t) => {
  const it = await bench(t);
  await it.changes({ ...shop, users: [user('a', 'first'), user('b', 'second')] });
  const before = await usersOf(it);
  t.true(await verifyPassword('first', before['a']?.hash ?? ''));
  const users = [user('a', 'first'), user('b', 'third', { roles: ['ROLE_API'] })];
  t.deepEqual(await it.changes({ ...shop, users }), ['user b: password changed, roles changed']);
  const after = await usersOf(it);
  t.is(after['a']?.hash, before['a']?.hash);
  t.true(await verifyPassword('third', after['b']?.hash ?? ''));
});

test('what a user may do, and its password before, are changes, and stay when nothing is new', async (t) => {
  const it = await bench(t);
  await it.changes({ ...shop, users: [user('a', 'first')] });
  const narrowed = user('a', 'second', {
    oldPassword: 'first',
    oldPasswordUntil: '2020-01-31',
    rights: ['read'],
    expires: '2020-12-31',
    requestsPerMinute: 60,
    allowedNetworks: ['203.0.113.0/24'],
  });
  const all =
    'password changed, old password changed, rights changed, expiry changed, requests changed, networks changed';
  t.deepEqual(await it.changes({ ...shop, users: [narrowed] }), [`user a: ${all}`]);
  t.deepEqual(await it.changes({ ...shop, users: [narrowed] }), []);
  const stored = await everythingStored(it, 'tiny');
  for (const password of ['"first"', '"second"']) t.false(stored.includes(password), password);
  const shown = await it.in('tiny', readShownFile);
  const secret = { withheld: 'set' };
  t.deepEqual(shown['users'], [{ ...narrowed, password: secret, oldPassword: secret }]);
  t.deepEqual(await it.changes({ ...shop, users: [user('a', 'second')] }), [
    'user a: old password changed, rights changed, expiry changed, requests changed, networks changed',
  ]);
});

test('a user that the file no longer has is disabled, and enabled when it is back', async (t) => {
  const it = await bench(t);
  const both = { ...shop, users: [user('a', 'first'), user('b', 'second')] };
  await it.changes(both);
  const one = { ...shop, users: [user('a', 'first')] };
  t.deepEqual(await it.changes(one), ['user b: disabled']);
  t.deepEqual(await it.changes(one), []);
  t.true((await usersOf(it))['b']?.disabled);
  t.deepEqual(await it.changes(both), ['user b: enabled']);
  t.false((await usersOf(it))['b']?.disabled);
});

test('applying does not enable a suspended user', async (t) => {
  const it = await bench(t);
  await it.changes({ ...shop, users: [user('a', 'first')] });
  await it.in('tiny', (tx) => tx.query('update base_user set suspended_at = now()'));
  await it.changes({ ...shop, users: [user('a', 'other', { firstName: 'A' })] });
  t.true((await usersOf(it))['a']?.suspended);
});

test('no secret of the file is in the database in clear', async (t) => {
  const it = await bench(t);
  const literal = 'whsec_bGl0ZXJhbCBzZWNyZXQ=';
  const demo = spoiled(draftOf(sample('demo')), {
    gateway: { type: 'stripe', secretKey: 'sk_live_very_secret' },
    'callbacks[1]': { url: 'https://b.example/', secret: literal, events: ['invoice.paid'] },
  });
  await it.changes(demo);
  const stored = await everythingStored(it, 'demo');
  t.true(stored.includes('https://b.example/'));
  const secrets = [callbackSecret, literal, 'sk_live_very_secret', 'demo-secret', 'clerk-secret'];
  for (const secret of secrets) {
    for (const part of [secret.replace('whsec_', ''), Buffer.from(secret).toString('base64')]) {
      t.false(stored.includes(part), `${part} is stored`);
    }
  }
  const [row] = await it.in('demo', (tx) =>
    tx.query<{ hook: string; gateway: string }>(
      `select file#>>'{callbacks,1,secret,sealed}' as hook,
              file#>>'{gateway,secretKey,sealed}' as gateway from tenant`,
    ),
  );
  const vault = createVault(secretKey);
  const context = secretContext('demo', { callbackUrl: 'https://b.example/' });
  t.is(vault.open(row?.hook ?? '', context), literal);
  t.is(vault.open(row?.gateway ?? '', secretContext('demo', 'gateway')), 'sk_live_very_secret');
});

test('a gateway secret that the environment does not have is a mistake', async (t) => {
  const it = await bench(t);
  const gateway = { type: 'stripe', secretKey: 'sk_1', webhookSecret: { env: 'UNSET' } };
  t.deepEqual(await it.mistakes({ ...shop, gateway }), [
    'gateway.webhookSecret: the environment variable UNSET is not set',
  ]);
});

test('a secret is encrypted again only when it or the key has changed, and kept if it is unset', async (t) => {
  const it = await bench(t);
  const demo = draftOf(sample('demo'));
  const sealedText = async () => {
    const path = `select file#>>'{callbacks,0,secret,sealed}' as sealed from tenant`;
    const [row] = await it.in('demo', (tx) => tx.query<{ sealed: string | null }>(path));
    return row?.sealed;
  };
  const unset = async () => {
    const applied = await it.apply(textOf(demo), { secretOf: () => undefined });
    return applied.isValid ? applied.warnings.map(({ message }) => message) : applied.mistakes;
  };
  const variable = 'the environment variable DEMO_CALLBACK_SECRET is not set';
  t.deepEqual(await unset(), [`${variable}: this callback stays off`]);
  t.is(await sealedText(), null);
  const changed = ['callback https://example.com/hooks/billing: changed'];
  t.deepEqual(await it.changes(demo), changed);
  const first = await sealedText();
  t.deepEqual(await it.changes({ ...demo, name: 'Other' }), ['name: changed']);
  t.is(await sealedText(), first);
  t.deepEqual(await unset(), [`${variable}: the stored secret is kept`]);
  t.is(await sealedText(), first);
  await it.changes({ ...demo, name: 'Other' });
  const vault = createVault('another key of the tests, 32 or more characters');
  t.deepEqual(await it.changes({ ...demo, name: 'Other' }, { vault }), changed);
  t.not(await sealedText(), first);
});
