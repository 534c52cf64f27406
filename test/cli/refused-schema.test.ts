/** A process begins only on a schema that it knows, or that still serves it; it says what to do. */
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { openDatabase } from '../../db/connection/database.ts';
import { migrate } from '../../db/connection/migrate.ts';
import {
  MIGRATIONS,
  SchemaError,
  migrationsIn,
  readSchema,
  refuseANewerSchema,
} from '../../db/connection/schema-version.ts';
import { alone, command, type Ended } from '../support/commands.ts';
import { testDatabase } from '../support/database.ts';
import { testFolder } from '../support/folder.ts';
import { administer } from '../support/template.ts';
import { SECRET_KEY } from '../support/tenants.ts';
import { until } from '../support/until.ts';
import { releaseVersion } from '../../release.ts';

const laterFolder = join(import.meta.dirname, 'later-migrations');
const contractingFolder = join(import.meta.dirname, 'contracting-migrations');
const newest = migrationsIn(MIGRATIONS).at(-1) ?? '';

/** What ends by itself; nothing listens at the address of the engine. */
async function run(
  t: ExecutionContext,
  ownerUrl: string,
  [entry = '', ...args]: readonly string[],
): Promise<Ended> {
  const env = {
    DATABASE_URL: ownerUrl,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    SECRET_KEY,
    DATA_DIR: testFolder(t),
    PORT: '0',
  };
  return await (entry.startsWith('cli/') ? command : alone)({ entry, args, env });
}

const programs: readonly (readonly string[])[] = [
  ['api/main.ts'],
  ['activities/worker.ts'],
  ['cli/audit.ts', '--without-workflows'],
  // As the other commands.
  ['cli/tenant.ts', 'list'],
];

/** The last line of each: logs of a program that has refused come before it. */
async function refusals(t: ExecutionContext, ownerUrl: string): Promise<readonly string[]> {
  const ended = await Promise.all(programs.map((args) => run(t, ownerUrl, args)));
  for (const [index, { code, stderr }] of ended.entries()) {
    t.is(code, 1, `${programs[index]?.join(' ')}: ${stderr}`);
    t.notRegex(stderr, /\n +at /, 'no stack');
  }
  return ended.map(({ stderr }) => stderr.trim().split('\n').at(-1) ?? '');
}

async function openClient(t: ExecutionContext, ownerUrl: string): Promise<Client> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

test('a database that is behind is refused by every process, which says what to run, and starts nothing', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  // As the release before schemas were compared has left it.
  await administer(
    ownerUrl,
    `delete from installation where key = 'schema'`,
    `create table later as select * from migration where name >= '0281'`,
    `delete from migration where name >= '0280'`,
    'revoke select (name) on migration from sundial_app, sundial_relay',
    'alter table worker_heartbeat drop column build_id',
  );
  for (const said of await refusals(t, ownerUrl)) {
    t.regex(said, new RegExp(`it lacks ${newest}\\. Run npm run migrate with this release`));
  }
  const client = await openClient(t, ownerUrl);
  const { rows } = await client.query(`select key from installation where key = 'secret_key_check'
    union all select identity from worker_heartbeat`);
  t.deepEqual(rows, []);

  // What came after it is there.
  await administer(ownerUrl, 'insert into migration select * from later', 'drop table later');
  await migrate(ownerUrl);
  await t.notThrowsAsync(opens(ownerUrl));
});

/** Every process opens the database by it. */
async function opens(ownerUrl: string): Promise<void> {
  const options = { poolMax: 1, statementTimeoutMs: 30_000, name: 'test' };
  for (const role of ['sundial_app', 'sundial_relay'] as const) {
    const db = await openDatabase({ ...options, url: ownerUrl, role });
    await db.close();
  }
}

test('a database without a schema is refused as well', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  await administer(ownerUrl, 'drop schema public cascade', 'create schema public');
  const message = 'The database has no schema yet: run npm run migrate.';
  await t.throwsAsync(opens(ownerUrl), { instanceOf: SchemaError, message });
});

test('a schema that a later release has expanded serves this one, whose migrate leaves its note', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const later = await migrate(ownerUrl, laterFolder);
  t.deepEqual(later, {
    version: '9001-last',
    servesFrom: '0280-schema-version',
    release: releaseVersion,
  });
  await t.notThrowsAsync(opens(ownerUrl));
  t.deepEqual(await migrate(ownerUrl), later);
});

test('a schema that a later release has contracted is refused, by migrate as well, which notes nothing', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  await migrate(ownerUrl, laterFolder);
  const state = await migrate(ownerUrl, contractingFolder);
  t.is(state.servesFrom, '9001-last');
  const message =
    `The database is at 9100-taken-away, to which release ${releaseVersion} has brought it, and this ` +
    `release knows up to ${newest}: it needs a release that knows 9001-last or later. Start release ` +
    `${releaseVersion} or a newer one; docs/upgrade.md says how to go back.`;
  await t.throwsAsync(opens(ownerUrl), { instanceOf: SchemaError, message });
  await t.throwsAsync(migrate(ownerUrl), { instanceOf: SchemaError, message });
  const client = await openClient(t, ownerUrl);
  t.deepEqual((await readSchema(client)).state, state);
});

test('a release is served from the schema on that a contraction names', (t) => {
  const state = { version: '0300-gone', servesFrom: '0290-new', release: '0.3.0' };
  const names = [
    '0000-base',
    '0001-foundation',
    '0092-signup-terms',
    '0280-a',
    '0290-new',
    '0300-gone',
  ];
  const knows =
    (...known: string[]) =>
    () =>
      refuseANewerSchema(state, names, ['0000-base', ...known]);
  t.notThrows(knows('0280-a', '0290-new'));
  t.notThrows(knows('0280-a', '0290-new', '0300-gone'));
  t.notThrows(knows('0280-a', '0290-new', '0300-gone', '0310-newest'));
  const { message } = t.throws(knows('0280-a'), { instanceOf: SchemaError });
  t.regex(message, /needs a release that knows 0290-new or later\. Start release 0\.3\.0/);
});

test('a migration that waits for a transaction gives way to others, and is tried again', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  await migrate(ownerUrl, laterFolder, { upTo: '9000-later' });
  const reader = await openClient(t, ownerUrl);
  await reader.query('begin');
  await reader.query('select from later');
  const migrated = migrate(ownerUrl, laterFolder);
  // The migration waits, and whoever comes next waits behind it until it gives way.
  const other = await openClient(t, ownerUrl);
  await until('it waits', async () => {
    const { rows } = await other.query('select from pg_locks where not granted');
    return rows.length > 0;
  });
  t.deepEqual((await other.query('select from later')).rows, []);
  await reader.query('commit');
  t.is((await migrated).version, '9001-last');
});
