/** A start that is repeated with its Idempotency-Key: one signup, and no address in clear. */
import test from 'ava';
import { verifyPassword } from '../../../operations/access/passwords.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { refused, type TenantApi } from '../tenant-api.ts';
import { likeDemo, openSignups, signupsOf, start, startPath } from './calls.ts';

const api = await openSignups();
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

/** Every row of every table that the tenant has. */
async function everythingOf(own: TenantApi): Promise<string> {
  const tables = await own.asOwner<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'tenant_id'`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await own.asOwner(
      `select t::text from ${name} t where tenant_id = ${own.tenantId}`,
    );
    parts.push(JSON.stringify(rows));
  }
  return parts.join('\n');
}

test('the same key gets the same address again, as text and as a document', async (t) => {
  const own = await api.another(likeDemo);
  const calls = [
    () => own.call('GET', startPath(), keyed('text')),
    () => start(own, {}, keyed('document')),
  ];
  for (const call of calls) {
    const first = await call();
    const again = await call();
    t.is(first.status, 200, first.body);
    t.is(first.headers['idempotency-replayed'], undefined);
    t.is(again.headers['idempotency-replayed'], 'true');
    t.is(again.body, first.body);
    t.is(again.headers['content-type'], first.headers['content-type']);
    t.is(again.headers['cache-control'], 'no-store');
  }
  t.is((await signupsOf(own)).length, 2);
});

test('the database holds no address of a page, and no password, in clear', async (t) => {
  const own = await api.another(likeDemo);
  const secret = { login: 'ada.field', passwd: 'Hush-word-1' };
  const text = (await own.call('GET', startPath(secret), keyed('one'))).body;
  const document = (await start(own, secret, keyed('two'))).body;
  const tokens = [text, document].map((body) => /\/signup\/([\w-]{43})/.exec(body)?.[1] ?? body);
  const stored = await everythingOf(own);
  t.true(stored.includes('ada.field'), 'the rows are seen');
  for (const each of [...tokens, 'Hush-word-1', '/signup/']) {
    t.false(stored.replaceAll('/rest/signup/start', '').includes(each), each);
  }
  const [row] = await signupsOf(own);
  t.true(await verifyPassword('Hush-word-1', String(row?.['password_hash'])));
});

test('a kept answer opens only for its own tenant and key', async (t) => {
  const own = await api.another(likeDemo);
  const path = startPath();
  t.is((await own.call('GET', path, keyed('first'))).status, 200);
  t.is((await own.call('GET', path, keyed('second'))).status, 200);
  await own.asOwner(
    `update idempotency_key k set body = o.body from idempotency_key o
     where k.tenant_id = ${own.tenantId} and k.key = 'second'
       and o.tenant_id = ${own.tenantId} and o.key = 'first'`,
  );
  refused(t, await own.call('GET', path, keyed('second')), 500, 'service.fault');
  t.is((await own.call('GET', path, keyed('first'))).status, 200);
});

test('a refusal replays, too; another request with the key is 409', async (t) => {
  const own = await api.another(likeDemo);
  const refusedCall = () => start(own, { contractCode: 'NONE' }, keyed('k'));
  const first = await refusedCall();
  refused(t, first, 400, 'plan.unknown contractCode');
  const again = await refusedCall();
  t.is(again.body, first.body);
  t.is(again.headers['idempotency-replayed'], 'true');
  refused(t, await start(own, {}, keyed('k')), 409, 'idempotency.otherRequest');
  t.deepEqual(await signupsOf(own), []);
});

test('a start in time replays when what it named is no longer taken', async (t) => {
  const own = await api.another(likeDemo);
  const first = await start(own, {}, keyed('k'));
  await inTenant(own.db, own.tenantId, (tx) => tx.query('delete from allowed_origin'));
  refused(t, await start(own), 400, 'query.invalid successURL', 'query.invalid failURL');
  t.is((await start(own, {}, keyed('k'))).body, first.body);
});
