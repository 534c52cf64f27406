/** Runs `npm start` as a user does: real processes, signals, ports and folders. */

import test, { type ExecutionContext } from 'ava';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { call } from '../../cli/rest.ts';
import { childEnvironment, loadConfig } from '../../config.ts';
import type { ShownHead } from '../../operations/access/audit-heads.ts';
import { readEndpoints } from '../../providers/embedded/endpoints.ts';
import { choosePort } from '../../providers/embedded/ports.ts';
import { startPostgres } from '../../providers/embedded/postgres.ts';
import { isRunning } from '../../providers/embedded/process.ts';
import { temporalBinary } from '../../providers/temporal/binary.ts';
import { startTemporal } from '../../providers/temporal/server.ts';
import { testFolder } from '../support/folder.ts';
import {
  NPM_START,
  processesOf,
  startProcess,
  type StartProcess,
} from '../support/start-process.ts';
import { isLong } from '../support/random.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

async function query(url: string | undefined, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** Runs the curl line that it printed, and returns the answer. */
async function untilReady(start: ReturnType<typeof startProcess>): Promise<string> {
  return (await start.said(/^ {2}(curl .*)$/m))[1] ?? '';
}

/** One folder for three starts, as a start takes most of the time. */
test.serial(
  'npm start becomes healthy, SIGTERM ends it all, parts that die run again, and its data stay',
  async (t) => {
    const folder = testFolder(t);
    const first = await untilHealthy(t, folder);
    const curl = await untilReady(first);
    await isReady(t, folder, curl);
    const secret = readFileSync(join(folder, 'secret.key'), 'utf8');
    await query(readEndpoints(folder)?.migrateUrl, 'create table kept as select 42 as n');
    await loginOwnsNothing(t, folder);

    first.child.kill('SIGTERM');
    t.is(await first.ended, 0);
    t.deepEqual(processesOf(folder), []);
    t.is(readEndpoints(folder), undefined);

    const second = startProcess(t, folder);
    await untilReady(second);
    t.deepEqual(await query(readEndpoints(folder)?.migrateUrl, 'select n from kept'), [42]);
    t.is(readFileSync(join(folder, 'secret.key'), 'utf8'), secret);
    await partsRunAgain(t, folder, second);
    const refused = startProcess(t, folder);
    t.is(await refused.ended, 1);
    t.regex(
      refused.output(),
      new RegExp(`in use by another npm start \\(pid ${second.child.pid}\\)`),
    );
    const parts = Object.entries(readEndpoints(folder)?.processes ?? {});
    t.is(parts.length, 6);

    second.child.kill('SIGKILL');
    t.is(await second.ended, 'SIGKILL');
    const third = startProcess(t, folder);
    await untilReady(third);
    t.deepEqual(
      parts.filter(([, process]) => isRunning(process)),
      [],
    );
    t.regex(third.output(), /Stopping postgres .*, which the last start left running/);
    await auditKnowsTheHead(t, folder);
    third.child.kill('SIGINT');
    t.is(await third.ended, 0);
    t.deepEqual(processesOf(folder), []);
  },
);

/** Once it reports healthy, the other commands find the system and its tenant. */
async function untilHealthy(t: ExecutionContext, folder: string): Promise<StartProcess> {
  const port = await choosePort({ variable: 'PORT', wanted: undefined });
  const apiUrl = `http://127.0.0.1:${port}`;
  const start = startProcess(t, folder, { command: NPM_START, env: { PORT: String(port) } });
  const demo = {
    apiUrl,
    hostName: 'demo.localhost',
    username: 'api@demo',
    password: 'demo-secret',
  };
  const isHealthy = async (): Promise<boolean> => {
    const health = await fetch(`${apiUrl}/healthz`).catch(() => undefined);
    if (health === undefined) return false;
    await health.body?.cancel();
    // This asks before the tenant exists, so that any cached lookup is as old as possible.
    if (!health.ok) await call(demo, 'GET', '/rest/plans');
    return health.ok;
  };
  let hasEnded = false;
  void start.ended.then(() => (hasEnded = true));
  await until('it is healthy', async () => (await isHealthy()) || hasEnded);
  const tenant = run(process.execPath, ['cli/tenant.ts', 'list', '--json'], inFolder(folder));
  t.is((await call(demo, 'GET', '/rest/plans')).status, 200);
  t.regex((await tenant).stdout, /"tenant":"demo"/);
  // The first hour tells the demo as a text.
  if (isLong) {
    const shown = await run(process.execPath, ['cli/demo.ts', '--json'], inFolder(folder));
    t.true(JSON.parse(shown.stdout).invoices.length > 0);
  }
  return start;
}

const inFolder = (folder: string) => ({
  env: childEnvironment({ DATA_DIR: folder, DATABASE_URL: undefined, TEMPORAL_ADDRESS: undefined }),
});

async function isReady(t: ExecutionContext, folder: string, curl: string): Promise<void> {
  const endpoints = readEndpoints(folder);
  t.is(endpoints?.status, 'ready');
  t.deepEqual(
    Object.keys(endpoints?.processes ?? {}).toSorted((a, b) => (a < b ? -1 : 1)),
    ['api', 'postgres', 'start', 'temporal', 'tenant', 'worker'],
  );
  t.is((await fetch(`${endpoints?.apiUrl}/healthz`)).status, 200);
  t.is((await fetch(endpoints?.temporalUiUrl ?? '')).status, 200);
  t.regex((await run('sh', ['-c', `${curl} -fsS`])).stdout, /<contractCode>GOLD<\/contractCode>/);
  t.is(statSync(join(folder, 'endpoints.json')).mode & 0o777, 0o600);
  t.is(statSync(join(folder, 'secret.key')).mode & 0o777, 0o600);
}

/** Whoever cuts the audit log's end and its head is found out by the worker's own file. */
async function auditKnowsTheHead(t: ExecutionContext, folder: string): Promise<void> {
  const file = join(folder, 'audit-heads.jsonl');
  const lines = (): string[] =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const headOfDemo = (): ShownHead | undefined =>
    lines()
      .map((line) => JSON.parse(line) as ShownHead)
      .find(({ tenant }) => tenant === 'demo');
  await until('the worker has kept the head', async () => headOfDemo() !== undefined);
  const { sequence = 0, hash } = headOfDemo() ?? {};
  t.is(statSync(file).mode & 0o777, 0o600);
  await until('it is in the log, too', async () =>
    readFileSync(join(folder, 'worker.log'), 'utf8').includes('the head of the audit log'),
  );
  const { migrateUrl } = readEndpoints(folder) ?? {};
  const ofDemo = `tenant_id = (select id from tenant where label = 'demo')`;
  const hashOf = (of: number): string =>
    `select hash from audit_log where ${ofDemo} and sequence = ${of}`;
  t.deepEqual(await query(migrateUrl, hashOf(sequence)), [hash]);
  const audit = async (): Promise<string> => {
    const args = ['cli/audit.ts', '--without-workflows', '--recompute', '0'];
    const ended = await run(process.execPath, args, inFolder(folder)).catch(
      (error: { readonly stdout: string }) => error,
    );
    return ended.stdout;
  };
  t.notRegex(await audit(), /audit\.chain/);
  const before = sequence - 1;
  const tampering = [
    'alter table audit_log disable trigger user',
    `delete from audit_log where ${ofDemo} and (sequence is null or sequence > ${before})`,
    `update audit_head set sequence = ${before},
       hash = coalesce((${hashOf(before)}), repeat('0', 64)) where ${ofDemo}`,
    'alter table audit_log enable trigger user',
  ];
  for (const statement of tampering) await query(migrateUrl, statement);
  const found = `audit\\.chain: audit row ${sequence}: is missing, and was the last one`;
  t.regex(await audit(), new RegExp(found));
}

/** The address that API, worker and commands have is not the owner's. */
async function loginOwnsNothing(t: ExecutionContext, folder: string): Promise<void> {
  const { databaseUrl, migrateUrl } = readEndpoints(folder) ?? {};
  t.is(new URL(databaseUrl ?? '').username, 'sundial_service');
  for (const statement of [
    'create table own ()',
    'drop table kept',
    'select * from tenant',
    `set role ${new URL(migrateUrl ?? '').username}`,
  ]) {
    await t.throwsAsync(query(databaseUrl, statement), { message: /permission denied|must be/ });
  }
}

/** Parts that die are restarted at their addresses. */
async function partsRunAgain(
  t: ExecutionContext,
  folder: string,
  start: StartProcess,
): Promise<void> {
  const before = readEndpoints(folder);
  for (const name of ['worker', 'temporal', 'api', 'postgres']) {
    process.kill(before?.processes[name]?.pid ?? 0, 'SIGKILL');
  }
  for (const name of ['worker', 'Temporal', 'api', 'PostgreSQL']) {
    await start.said(new RegExp(`${name} runs again`));
  }
  const after = readEndpoints(folder);
  t.is(after?.databaseUrl, before?.databaseUrl);
  t.is(after?.temporalAddress, before?.temporalAddress);
  t.is(after?.apiUrl, before?.apiUrl);
}

/** The last of them has all servers as its children; the others are in the long run. */
const moments = [/new PostgreSQL cluster/, /Migrations done/, /Temporal answers/] as const;

for (const words of isLong ? moments : moments.slice(-1)) {
  test.serial(`SIGTERM after "${words.source}" leaves no child process`, async (t) => {
    const folder = testFolder(t);
    const start = startProcess(t, folder);
    await start.said(words);
    start.child.kill('SIGTERM');
    t.is(await start.ended, 1);
    t.deepEqual(processesOf(folder), []);
    t.regex(start.output(), /Stopping[^]*Stopped\n$/);
  });
}

const longTest = isLong ? test.serial : test.serial.skip;

longTest('external servers are used, and awaited in any order', async (t) => {
  const folder = testFolder(t);
  const databasePort = await choosePort({ variable: 'POSTGRES_PORT', wanted: undefined });
  const temporalPort = await choosePort({ variable: 'TEMPORAL_PORT', wanted: undefined });
  const context = {
    folder: testFolder(t),
    signal: new AbortController().signal,
    onProgress: () => {},
  };
  const { searchPath, cacheDir, temporalCliPath: cliPath } = loadConfig();
  const binary = await temporalBinary({ ...context, cliPath, searchPath, cacheDir });

  // The database's password is known only after its start.
  const settings = { fsync: 'off' };
  const postgresOptions = { ...context, cacheDir, port: databasePort, settings };
  const earlier = await startPostgres(postgresOptions);
  await earlier.stop();
  const env = { DATABASE_URL: earlier.url, TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}` };
  const start = startProcess(t, folder, { env });
  await start.said(/Waiting for the database/);
  t.teardown((await startPostgres(postgresOptions)).stop);
  await start.said(/Waiting for Temporal/);
  const temporalOptions = { ...context, binary, port: temporalPort, namespace: 'default' };
  t.teardown((await startTemporal(temporalOptions)).stop);
  await untilReady(start);
  const { start: own, worker, api, tenant, ...others } = readEndpoints(folder)?.processes ?? {};
  t.true([own, worker, api, tenant].every(Boolean));
  t.deepEqual(others, {});
  start.child.kill('SIGTERM');
  t.is(await start.ended, 0);
});

test.serial('all taken ports are reported, and nothing is started', async (t) => {
  const folder = testFolder(t);
  const taken = createServer().listen(0, '127.0.0.1');
  t.teardown(() => taken.close());
  await once(taken, 'listening');
  const address = taken.address();
  const port = String(typeof address === 'object' ? address?.port : 0);
  const env = { PORT: port, POSTGRES_PORT: port, TEMPORAL_UI_PORT: port };
  const start = startProcess(t, folder, { env });
  t.is(await start.ended, 1);
  for (const name of Object.keys(env)) {
    t.regex(start.output(), new RegExp(`^${name}: port ${port} is taken`, 'm'));
  }
  t.deepEqual(processesOf(folder), []);
});

test.serial('METRICS_PORT leaves a port for the worker, or nothing is started', async (t) => {
  const folder = testFolder(t);
  const start = startProcess(t, folder, { env: { METRICS_PORT: '65535' } });
  t.is(await start.ended, 1);
  t.regex(start.output(), /^METRICS_PORT 65535 leaves none for the worker/m);
  t.notRegex(start.output(), /\n\s+at /);
  t.deepEqual(processesOf(folder), []);
});

test.serial('all mistakes in the configuration are named at start', async (t) => {
  const folder = testFolder(t);
  const env = { PORT: 'http', LOG_LEVEL: 'loud', TRUST_PROXY: '1' };
  const start = startProcess(t, folder, { env });
  t.is(await start.ended, 1);
  for (const name of Object.keys(env))
    t.regex(start.output(), new RegExp(`^ {2}${name} must`, 'm'));
  t.notRegex(start.output(), /\n\s+at /);
});

test.serial('--help explains the command', async (t) => {
  const { stdout } = await run(process.execPath, ['cli/start.ts', '--help']);
  t.regex(stdout, /^npm start\n/);
});
