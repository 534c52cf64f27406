/** From which schemas a database comes to the newest one, and where migrations are found. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { Client } from 'pg';
import { childEnvironment } from '../../config.ts';
import { migrate } from '../../db/connection/migrate.ts';
import { testDatabase } from '../support/database.ts';

const root = join(import.meta.dirname, '../..');
/** The names of those of today, from the base on. */
const inFolder = readdirSync(join(root, 'db/migrations'))
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted();
const laterFolder = join(import.meta.dirname, 'later-migrations');

/** Those that the base replaced, as databases of then have noted them. */
const replaced = `
  0001-foundation 0002-interface 0003-payments 0004-numbering 0005-billing-suspects
  0006-charge-kinds 0007-gateway-keys 0008-indexes 0009-cancelled-ends 0010-relay-by-tenant
  0011-any-foreign-id 0012-names 0013-gateway-news 0015-workflows-seen 0016-foreign-ids-read
  0018-order-after-its-lines 0020-run-amounts 0021-events 0022-callbacks 0023-dunning
  0024-collection 0025-mail 0026-event-documents 0027-retention 0028-news-index
  0030-ageing-waits 0032-resolved-payments 0041-callback-failures 0042-update-answers
  0043-workflows-unseen 0044-debts-opened 0045-backlogs 0046-charge-references 0047-line-days
  0048-prices 0049-changes 0051-newest-lines 0052-tax-answers 0053-tax-records 0054-tax-waits
  0055-usage 0056-usage-ids 0057-usage-days 0060-commission-plans 0061-commissions 0063-imports
  0064-signups 0065-self-service 0066-self-service-forms 0067-customer-records 0068-billed
  0070-tax-returns 0072-corrections 0080-batch-withdrawals 0081-dunnings-of-imports
  0082-batch-queue 0092-signup-terms
`
  .trim()
  .split(/\s+/);

type Teardown = Parameters<typeof testDatabase>[0];

/** A database whose notes are those of before the base, with a tenant. */
async function ofBefore(t: NonNullable<Teardown>, noted: readonly string[]) {
  const { ownerUrl } = await testDatabase(t);
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  await client.query(`delete from migration where name = '0000-base'`);
  await client.query('insert into migration (name) select unnest($1::text[])', [noted]);
  await client.query(
    `insert into tenant (label, name, timezone, currency, payment_terms_value, payment_terms_units,
       has_test_clock, file, created_at, updated_at)
     values ('old', 'Old', 'UTC', 'EUR', 14, 'Days', false, '{}', now(), now())`,
  );
  const column = async (sql: string): Promise<unknown[]> =>
    (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  return {
    ownerUrl,
    labels: () => column('select label from tenant'),
    notes: async () => (await column('select name from migration')).map(String).toSorted(),
  };
}

test('a database at the last migration of before counts as at the base, and goes on from there', async (t) => {
  const old = await ofBefore(t, replaced);
  await migrate(old.ownerUrl);
  t.deepEqual(await old.notes(), [...inFolder, ...replaced].toSorted());
  await migrate(old.ownerUrl, laterFolder);
  t.deepEqual((await old.notes()).slice(-2), ['9000-later', '9001-last']);
  t.deepEqual(await old.labels(), ['old']);
});

for (const [name, noted] of [
  ['at one before the last migration', replaced.slice(0, -1)],
  ['without one of the migrations in between', replaced.filter((each) => each !== '0055-usage')],
  ['at the first migration', replaced.slice(0, 1)],
] as const) {
  test(`a database ${name} is refused, by the name of the commit to go through`, async (t) => {
    const old = await ofBefore(t, noted);
    const env = childEnvironment({ DATABASE_URL: old.ownerUrl });
    const started = promisify(execFile)(process.execPath, ['cli/migrate.ts'], { cwd: root, env });
    const { code, stderr } = await t.throwsAsync<Error & { code: number; stderr: string }>(started);
    t.is(code, 1);
    t.regex(
      stderr,
      /^the database has \d+ of the 57 migrations up to 0092-signup-terms, .* commit [0-9a-f]{40} /,
    );
    t.is(stderr.trim().split('\n').length, 1, 'no stack');
    t.deepEqual(await old.notes(), [...inFolder.slice(1), ...noted].toSorted());
    t.deepEqual(await old.labels(), ['old']);
  });
}

test('a first start that ended before it had made a table is started again', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  await client.query(`create schema kept; alter table migration set schema kept;
    drop schema public cascade; create schema public; alter table kept.migration set schema public;
    delete from migration`);
  await migrate(ownerUrl);
  const { rows } = await client.query(`select name from migration where name = '0000-base'`);
  t.is(rows.length, 1);
  t.deepEqual((await client.query('select from tenant')).rows, []);
});

test('migrations are found by their folder, run in the order of their names, and once', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  await migrate(ownerUrl, laterFolder);
  await migrate(ownerUrl, laterFolder);
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  const { rows } = await client.query(`select name from migration where name >= '9' order by id`);
  t.deepEqual(rows, [{ name: '9000-later' }, { name: '9001-last' }]);
  t.deepEqual((await client.query('select id, name from later')).rows, []);
});
