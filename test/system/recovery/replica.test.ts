/**
 * READ_DATABASE_URL with a streaming replica of PostgreSQL: what is committed is seen there at once, and while
 * the replica lags, is away or is no replica any more, the database itself answers.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { type Database, forReading, openDatabase } from '../../../db/connection/database.ts';
import { replicaOf } from '../../../db/connection/logins.ts';
import { migrate } from '../../../db/connection/migrate.ts';
import { rowsInSnapshot } from '../../../db/connection/snapshot.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../providers/embedded/postgres.ts';
import { audit } from '../../support/audit.ts';
import { patientSession } from '../../support/database.ts';
import { isLong } from '../../support/random.ts';
import { asked } from '../../support/template.ts';
import { makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';

const long = isLong ? test.serial : test.serial.skip;
const session = { ...patientSession, poolMax: 2, name: 'test' } as const;
const WRITES = 50;

function newFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sundial-replica-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  // The server runs as a user of its own if the tests run as root.
  chmodSync(folder, 0o777);
  return folder;
}

function start(folder: string, settings: Readonly<Record<string, string>> = {}, port?: number) {
  return startPostgres({
    folder,
    cacheDir: folder,
    port,
    settings: { shared_buffers: '16MB', ...settings },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

/** What pg_basebackup makes, which the programs of npm lack. */
async function copyFor(primary: EmbeddedPostgres, from: string, folder: string): Promise<void> {
  const data = join(folder, 'postgres');
  const client = new Client({ connectionString: primary.url });
  await client.connect();
  await client.query("select pg_backup_start('replica', true)");
  execFileSync('cp', ['-a', primary.dataFolder, data]);
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop(false)',
  );
  await client.end();
  rmSync(join(data, 'postmaster.pid'), { force: true });
  const { uid, gid } = statSync(data);
  for (const [name, text] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(join(data, name), text);
    chownSync(join(data, name), uid, gid);
  }
  copyFileSync(join(from, 'postgres.password'), join(folder, 'postgres.password'));
}

/** It says who asks by the port of its server. */
const portOf = async (db: Database): Promise<number> => {
  const [row] = await db.ask<{ port: string }>({ text: `select current_setting('port') as port` });
  return Number(row?.port);
};

long(
  'reads go to a streaming replica that has what was committed, and else to the database',
  async (t) => {
    t.timeout(300_000);
    const [folder, copy] = [newFolder(t), newFolder(t)];
    const primary = await start(folder, { wal_keep_size: '256MB' });
    t.teardown(() => primary.stop());
    await migrate(primary.url);
    await copyFor(primary, folder, copy);
    const streams = {
      primary_conninfo: primary.url,
      hot_standby_feedback: 'on',
      wal_retrieve_retry_interval: '200ms',
    };
    let replica = await start(copy, streams);
    t.teardown(() => replica.stop());
    const [its, own] = [replica.url, primary.url].map((url) => Number(new URL(url).port));

    const told: string[] = [];
    const settings = replicaOf(replica.url, { mayOwn: true, tell: (text) => void told.push(text) });
    const db = await openDatabase({
      ...session,
      url: primary.url,
      role: 'sundial_app',
      replica: settings,
    });
    t.teardown(() => db.close());
    const dependencies = { db, realNow: Date.now };
    const { id, label } = await makeTenant(dependencies, {});
    let written = 0;
    const write = async (): Promise<void> => {
      written += 1;
      await inTenant(db, id, (tx) =>
        tx.query(
          `insert into customer (tenant_id, name, status, currency, ext_customer_ref, created_at,
           updated_at) values ($1, 'A', 'Active', 'USD', $2, now(), now())`,
          [id, `C-${written}`],
        ),
      );
    };
    const count = async (from: Database): Promise<number> => {
      const [row] = await inTenant(
        from,
        id,
        (tx) => tx.query<{ n: number }>('select count(*) as n from customer'),
        { readOnly: true, single: true },
      );
      return row?.n ?? 0;
    };
    const answers = async (): Promise<number> => portOf(await forReading(db));

    for (let nth = 0; nth < WRITES; nth += 1) {
      await write();
      const source = await forReading(db);
      t.is(await portOf(source), its ?? 0);
      t.is(await count(source), written);
    }
    let rows = 0;
    const statement = { text: 'select id from customer', values: [] };
    for await (const part of rowsInSnapshot(db, id, statement)) rows += part.length;
    t.is(rows, written);
    const relayDb = await openDatabase({ ...session, url: primary.url, role: 'sundial_relay' });
    t.teardown(() => relayDb.close());
    const report = await audit(dependencies, { relayDb, engine: null, only: label });
    t.is(report.tenants[0]?.customers, written);

    await asked(replica.url, 'select pg_wal_replay_pause()');
    await write();
    const instead = await forReading(db);
    t.is(await portOf(instead), own ?? 0);
    t.is(await count(instead), written);
    t.is(told.at(-1), 'reads go to the database itself: the replica lags behind');
    await asked(replica.url, 'select pg_wal_replay_resume()');
    await until('the replica answers again', async () => (await answers()) === its);
    t.is(told.at(-1), 'reads that take much go to the replica');

    await replica.stop();
    t.is(await answers(), own ?? 0);
    t.is(told.at(-1), 'reads go to the database itself: the replica does not answer');
    replica = await start(copy, streams, its);
    await until('the replica is back', async () => (await answers()) === its);
    await write();
    t.is(await count(await forReading(db)), written);

    await asked(replica.url, 'select pg_promote()');
    await write();
    t.is(await count(await forReading(db)), written);
    t.is(await answers(), own ?? 0);
    t.is(told.at(-1), 'reads go to the database itself: the replica is none any more');
    await t.throwsAsync(
      openDatabase({ ...session, url: primary.url, role: 'sundial_app', replica: settings }),
      { message: /leads to a server that is no replica any more: it was promoted, or is a copy/ },
    );
  },
);
