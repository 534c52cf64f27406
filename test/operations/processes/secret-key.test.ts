/** An installation has one SECRET_KEY, that of the first process to start. */
import test from 'ava';
import { openDatabase } from '../../../db/connection/database.ts';
import { holdSecretKey, SecretKeyError } from '../../../operations/processes/secret-key.ts';
import { holdPayloadKeys, retirePayloadKey } from '../../../operations/processes/payload-keys.ts';
import { createVault, keyIdOf } from '../../../providers/vault.ts';
import { alone, command } from '../../support/commands.ts';
import { testDatabase } from '../../support/database.ts';
import { administer } from '../../support/template.ts';

const own = 'the key of the installation, of 32 or more';
const other = 'the key of a stranger, of 32 characters or more';

async function opened(t: Parameters<typeof testDatabase>[0] & object) {
  const { ownerUrl } = await testDatabase(t);
  const db = await openDatabase({
    url: ownerUrl,
    role: 'sundial_app',
    poolMax: 2,
    statementTimeoutMs: 30_000,
    name: 'test',
  });
  t.teardown(() => db.close());
  return { ownerUrl, db, hold: (key: string) => holdSecretKey(db, createVault(key)) };
}

/** The exit code of one of our programs, and what it said. */
async function ran(
  [entry = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly code: unknown; readonly said: string }> {
  const env = { TEMPORAL_ADDRESS: '127.0.0.1:9', PORT: '0', ...variables };
  const run = entry.startsWith('cli/') ? command : alone;
  const { code, stdout, stderr } = await run({ entry, args, env });
  return { code, said: stdout + stderr };
}

test('the first key is that of the installation, and another one is refused', async (t) => {
  const { ownerUrl, hold } = await opened(t);
  await hold(own);
  await hold(own);
  const refused = await t.throwsAsync(hold(other), { instanceOf: SecretKeyError });
  t.regex(refused.message, /^SECRET_KEY is not that of this installation/);
  // An installation from before has the first row only.
  await administer(ownerUrl, `delete from installation where key <> 'secret_key_check'`);
  await t.throwsAsync(hold(other), { instanceOf: SecretKeyError });
  t.deepEqual((await hold(own)).older, []);
});

test('of two keys at once one is the first', async (t) => {
  const { hold } = await opened(t);
  const results = await Promise.allSettled([hold(own), hold(other)]);
  t.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});

test('API, worker and tenant apply end at once with another key, and name none', async (t) => {
  const { ownerUrl, db, hold } = await opened(t);
  await hold(own);
  const tenant = ['cli/tenant.ts', 'apply', 'tenants/acme.yaml'];
  for (const args of [
    ['api/main.ts'],
    ['activities/worker.ts'],
    tenant,
    [...tenant, '--dry-run'],
  ]) {
    const { code, said } = await ran(args, { DATABASE_URL: ownerUrl, SECRET_KEY: other });
    t.is(code, 1, args.join(' '));
    t.regex(said, /^SECRET_KEY is not that of this installation/m);
    t.notRegex(said, /stranger|\n\s+at /);
  }
  const applied = await ran(tenant, { DATABASE_URL: ownerUrl, SECRET_KEY: own });
  t.is(applied.code, 0, applied.said);
  t.deepEqual((await db.pool.query('select key from installation order by key')).rows, [
    { key: 'events_since_id' },
    { key: 'fingerprint_key' },
    { key: 'schema' },
    { key: 'secret_key_check' },
    { key: 'secret_keys' },
  ]);
});

test('a dry run makes no key that of the installation', async (t) => {
  const { ownerUrl, hold } = await opened(t);
  const args = ['apply', 'tenants/acme.yaml', '--dry-run'];
  const env = { DATABASE_URL: ownerUrl, SECRET_KEY: other };
  t.is((await command({ entry: 'cli/tenant.ts', args, env })).code, 0);
  await hold(own);
  t.pass();
});

test('a process that lacks a key by which payloads are encrypted does not start, until it is retired', async (t) => {
  const { db } = await opened(t);
  const hold = (encrypts: string | undefined, ...others: readonly string[]) =>
    holdPayloadKeys(db, { payloadKeys: { encrypts, others } });
  await t.notThrowsAsync(holdPayloadKeys(db, undefined));
  // Everywhere readable; then it encrypts.
  await hold(undefined, own);
  await t.notThrowsAsync(holdPayloadKeys(db, {}));
  await hold(own);
  for (const lacking of [holdPayloadKeys(db, {}), hold(other)]) {
    const refused = await t.throwsAsync(lacking, { instanceOf: SecretKeyError });
    t.regex(refused.message, new RegExp(`encrypted by the key ${keyIdOf(own)}, which is neither`));
  }
  await hold(other, own);
  await t.throwsAsync(hold(own), { instanceOf: SecretKeyError });
  t.true(await retirePayloadKey(db, keyIdOf(own)));
  t.false(await retirePayloadKey(db, keyIdOf(own)));
  await t.notThrowsAsync(hold(other));
});
