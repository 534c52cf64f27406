/**
 * Both restores with the real programs, under load: PostgreSQL from a base backup and its archived log,
 * after its disk is lost; Temporal from an older copy of its own file.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { childEnvironment } from '../../../config.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { migrate } from '../../../db/connection/migrate.ts';
import { openEngine } from '../../../operations/outbox/engine.ts';
import { engineGeneration, raiseMark } from '../../../operations/processes/engine-generation.ts';
import type { RestorationReport } from '../../../operations/processes/restoration.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../providers/embedded/postgres.ts';
import { defaultTaskQueue } from '../../../workflows/contract/contract.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { isLong } from '../../support/random.ts';
import { callbackSecret, startReceiver } from '../../support/receiver.ts';
import { startStripeDouble, type StripeDouble } from '../../support/stripe/double.ts';
import { asked } from '../../support/template.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { startParts, type Parts } from '../crash/parts.ts';
import { killAll } from '../crash/postgres.ts';
import { openTill, type Till } from '../crash/till.ts';
import { givenOut, opened, webhookIds } from './life.ts';

const long = isLong ? test.serial : test.serial.skip;
const root = join(import.meta.dirname, '../../..');

/* A shop whose customers have cards at Stripe, and pay by themselves. */

interface Shop extends Till {
  /** So many more customers with an order of 10.00, whose first invoices are paid. */
  readonly sell: (count: number) => Promise<void>;
}

async function openShop(
  parts: Parts,
  app: Parameters<typeof openTill>[1],
  { stripe, callbackUrl }: { readonly stripe: StripeDouble; readonly callbackUrl: string },
): Promise<Shop> {
  const till = await openTill(parts, app, {
    label: 'drill',
    plans: [recurring('P', 10, prepaid)],
    file: {
      gateway: { type: 'stripe', secretKey: 'sk_test_1', url: stripe.url },
      callbacks: [
        {
          url: callbackUrl,
          secret: callbackSecret,
          events: ['customer.created', 'order.created', 'invoice.paid', 'payment.success'],
        },
      ],
    },
  });
  const one = async (): Promise<number> => {
    const id = await till.customer(false);
    await till.onFile(id, '4242424242424242');
    const order =
      `<subscriptionOrder><customer id="${id}"/><contractCode>P</contractCode>` +
      '<isAutoPay>true</isAutoPay></subscriptionOrder>';
    const made = await till.call('POST', '/orders?generateInvoice=true', order);
    if (made.status !== 201) throw new Error(made.body);
    return id;
  };
  return {
    ...till,
    async sell(count) {
      const ids = await Promise.all(Array.from({ length: count }, one));
      await until('all are paid', async () => {
        const open = `select from customer c where id = any($1) and not exists (select from payment p
          where p.customer_id = c.id and p.status = 'Paid')`;
        return (await till.read(open, ids)).length === 0;
      });
    },
  };
}

/** One of our programs, to its end. */
function ran(args: readonly string[], variables: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: unknown; readonly said: string }>((resolve) => {
    const env = childEnvironment({ PORT: '0', ...variables });
    const limits = { timeout: 120_000, maxBuffer: 2 ** 26, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, args, { cwd: root, env, ...limits }, (error, out, err) => {
      resolve({ code: error === null ? 0 : error.code, said: out + err });
    });
  });
}

/* PostgreSQL with an archive of its log, which outlives its disk. */

function startArchived(
  { folder, archive }: Place,
  settings: Readonly<Record<string, string>> = {},
  port?: number,
): Promise<EmbeddedPostgres> {
  return startPostgres({
    folder,
    cacheDir: folder,
    port,
    settings: {
      shared_buffers: '16MB',
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
      archive_timeout: '60',
      ...settings,
    },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

interface Place {
  readonly folder: string;
  readonly archive: string;
  readonly backup: string;
}

function newPlace(t: ExecutionContext): Place {
  const folder = mkdtempSync(join(tmpdir(), 'sundial-restore-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const archive = join(folder, 'archive');
  mkdirSync(archive);
  // The server runs as a user of its own if the tests run as root.
  for (const each of [folder, archive]) chmodSync(each, 0o777);
  return { folder, archive, backup: join(folder, 'backup') };
}

/** What pg_basebackup does, which the programs of npm lack. */
async function backUp({ url, dataFolder }: EmbeddedPostgres, { backup }: Place): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('drill', true)");
    execFileSync('cp', ['-a', dataFolder, backup]);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(true)',
    );
    writeOwned(backup, 'backup_label', rows[0]?.labelfile ?? '');
    rmSync(join(backup, 'postmaster.pid'), { force: true });
    const log = join(backup, 'pg_wal');
    for (const each of readdirSync(log)) rmSync(join(log, each), { recursive: true });
  } finally {
    await client.end();
  }
}

/** For the user who runs the server. */
function writeOwned(folder: string, name: string, text: string): void {
  const { uid, gid } = statSync(folder);
  writeFileSync(join(folder, name), text);
  chownSync(join(folder, name), uid, gid);
}

/** The data are those of the backup, and follow the archive to its end, or up to an instant. */
async function putBack({ dataFolder, url }: EmbeddedPostgres, place: Place, upTo?: string) {
  rmSync(dataFolder, { recursive: true });
  execFileSync('cp', ['-a', place.backup, dataFolder]);
  writeOwned(dataFolder, 'recovery.signal', '');
  return startArchived(
    place,
    // It answers once it has recovered all that there is.
    {
      restore_command: `cp ${place.archive}/%f %p`,
      hot_standby: 'off',
      ...(upTo !== undefined && {
        recovery_target_time: upTo,
        recovery_target_action: 'promote',
      }),
    },
    Number(new URL(url).port),
  );
}

const given = (app: Parameters<typeof openTill>[1], { tenantId }: Till) =>
  inTenant(app, tenantId, givenOut, { readOnly: true });

/** All of the log so far is in the archive. */
async function archived(url: string): Promise<void> {
  await asked(url, 'select pg_switch_wal()');
  await until('the log is archived', async () => {
    const [left] = await asked(
      url,
      `select from pg_ls_archive_statusdir() where name like '%.ready'`,
    );
    return left === undefined;
  });
}

/** PostgreSQL's words for this instant of its own. */
async function instant(url: string): Promise<string> {
  const [row] = await asked(url, 'select clock_timestamp()::text as now');
  return String(row?.['now']);
}

/** @param goesBack whether what came after an instant is thrown away, though the archive has it */
async function drill(t: ExecutionContext, { goesBack }: { readonly goesBack: boolean }) {
  t.timeout(600_000);
  const place = newPlace(t);
  let postgres = await startArchived(place);
  t.teardown(() => postgres.stop());
  const { url } = postgres;
  await migrate(url);
  const stripe = await startStripeDouble();
  t.teardown(() => stripe.stop());
  const receiver = await startReceiver(t);
  const settings = { DATABASE_URL: url, CALLBACK_ALLOW_PRIVATE: 'true' };
  const parts = { ...(await startParts(settings)), ownerUrl: url };
  t.teardown(() => parts.stop());
  let db = await opened(url);
  t.teardown(() => db.close());
  let shop = await openShop(parts, db.app, { stripe, callbackUrl: receiver.url });

  await shop.sell(5);
  await backUp(postgres, place);
  await shop.sell(5);
  // The worker may still give out some while the log goes to the archive.
  const known = await given(db.app, shop);
  await archived(url);
  const good = await instant(url);
  // What comes now is in no archive when the disk is lost, or is what the operator throws away.
  await shop.sell(5);
  if (goesBack) await archived(url);
  const lostAt = Date.now();
  const engine = openEngine({ ...parts.engine, taskQueue: defaultTaskQueue, identity: 'test' });
  t.teardown(() => engine.close());
  await raiseMark({ db: db.app }, engine);
  await raiseMark({ db: db.app }, engine);
  const all = await given(db.app, shop);
  const sent = webhookIds(receiver.received);
  t.is(stripe.intents().length, 15);
  await Promise.all([parts.worker.kill(), parts.api.kill()]);
  await db.close();
  await killAll(postgres);

  const began = performance.now();
  postgres = await putBack(postgres, place, goesBack ? good : undefined);
  t.log(`PostgreSQL answers after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  db = await opened(url);
  const back = await given(db.app, shop);
  t.true(known.size <= back.size && back.size < all.size, `${known.size} ${back.size} ${all.size}`);

  const env = {
    DATABASE_URL: url,
    TEMPORAL_ADDRESS: parts.engine.address,
    TEMPORAL_NAMESPACE: parts.engine.namespace,
    SECRET_KEY,
    DATA_DIR: parts.folder,
  };
  for (const entry of ['api/main.ts', 'activities/worker.ts']) {
    const { code, said } = await ran([entry], env);
    t.is(code, 1, entry);
    t.regex(said, /The database knows less than Temporal .* Run `npm run restored`/s, entry);
  }
  const untold = await ran(['cli/restored.ts'], env);
  t.is(untold.code, 1);
  t.regex(untold.said, /--number 'drill\/order=LAST' +at least 1015\n/);
  const told = ['cli/restored.ts', '--leap', '50', '--json'];
  t.is((await ran([...told, '--dry-run'], env)).code, 0);
  const { code, said } = await ran(told, env);
  t.is(code, 0, said);
  const report = JSON.parse(said) as RestorationReport;
  t.like(report, { isDone: true, epoch: 1 });
  t.is(report.unknownCalls.length, 5, 'what was charged in the lost time');
  t.log(`lost: ${((lostAt - Date.parse(report.lostFrom)) / 1_000).toFixed(1)} s`);
  await parts.worker.start();
  await parts.api.start();
  t.log(`the service answers after ${((performance.now() - began) / 1_000).toFixed(1)} s`);

  shop = { ...shop, ...(await openShop(parts, db.app, { stripe, callbackUrl: receiver.url })) };
  await shop.sell(5);
  t.is(stripe.intents().length, 20, 'nobody is charged twice');
  const fresh = [...(await given(db.app, shop))].filter((each) => !back.has(each));
  t.deepEqual(
    fresh.filter((each) => all.has(each)),
    [],
  );
  await until(
    'the receiver has them',
    async () =>
      webhookIds(receiver.received.slice(sent.length)).filter((id) => id.startsWith('evt_1_'))
        .length >= 20,
  );
  const news = webhookIds(receiver.received.slice(sent.length)).filter((id) => !sent.includes(id));
  t.true(
    news.every((id) => id.startsWith('evt_1_')),
    news.join(),
  );
  const faults = async (): Promise<readonly string[]> => {
    const audited = await ran(['cli/audit.ts', '--json'], env);
    const { tenants } = JSON.parse(audited.said) as {
      readonly tenants: readonly { readonly faults: readonly { readonly check: string }[] }[];
    };
    return tenants.flatMap((each) => each.faults.map(({ check }) => check));
  };
  await until('nothing but the findings is left', async () => {
    const checks = await faults();
    return checks.length === 5 && checks.every((check) => check === 'gateway.unknownCall');
  });
  for (const { gatewayKey } of report.unknownCalls) {
    const payment = gatewayKey.split('/')[1] ?? '';
    const closing = ['cli/tenant.ts', 'payment', 'close', 'drill', payment, 'refunded by hand'];
    t.is((await ran(closing, env)).code, 0);
  }
  t.deepEqual(await faults(), []);
}

long('a PostgreSQL whose disk was lost is recovered from its archive, and taken up', (t) =>
  drill(t, { goesBack: false }),
);

long('a PostgreSQL goes back to a point in time, and is taken up', (t) =>
  drill(t, { goesBack: true }),
);

long('a Temporal that is put back to an older file is noticed, and all orders go on', async (t) => {
  t.timeout(600_000);
  const parts = await startParts();
  t.teardown(() => parts.stop());
  const stripe = await startStripeDouble();
  t.teardown(() => stripe.stop());
  const receiver = await startReceiver(t);
  const db = await opened(parts.ownerUrl);
  t.teardown(() => db.close());
  const dependencies = { db: db.app };
  const shop = await openShop(parts, db.app, { stripe, callbackUrl: receiver.url });
  await shop.sell(5);
  const file = join(parts.folder, 'temporal.db');
  await parts.temporal.kill();
  for (const end of ['', '-wal', '-shm']) copy(`${file}${end}`, `${file}.backup${end}`);
  await parts.temporal.start();
  await shop.sell(5);
  const engine = openEngine({ ...parts.engine, taskQueue: defaultTaskQueue, identity: 'test' });
  t.teardown(() => engine.close());
  for (let mark = 0; mark < 4; mark += 1) await raiseMark(dependencies, engine);
  const before = await engineGeneration(dependencies);

  await parts.temporal.kill();
  const began = performance.now();
  for (const end of ['', '-wal', '-shm']) {
    rmSync(`${file}${end}`, { force: true });
    copy(`${file}.backup${end}`, `${file}${end}`);
  }
  await parts.temporal.start();
  await until('it is noticed', async () => (await engineGeneration(dependencies)) > before);
  t.log(`noticed after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  await shop.sell(5);
  t.is(stripe.intents().length, 15);
  const env = {
    DATABASE_URL: parts.ownerUrl,
    TEMPORAL_ADDRESS: parts.engine.address,
    TEMPORAL_NAMESPACE: parts.engine.namespace,
    SECRET_KEY,
    DATA_DIR: parts.folder,
  };
  await until('the audit finds nothing', async () => {
    const { code } = await ran(['cli/audit.ts', '--tenant', 'drill'], env);
    return code === 0;
  });
});

function copy(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    // SQLite has these files only while they are needed.
    if ((error as { readonly code?: unknown }).code !== 'ENOENT') throw error;
  }
}
