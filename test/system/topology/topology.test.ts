/**
 * The shape of a production system as plain processes: Temporal's production server on PostgreSQL, two APIs behind
 * a proxy, two workers, and a load. One of each is killed and started anew, the server of Temporal too; at the end
 * the books are right, and agree with what others know. `npm run topology -- --minutes 10` goes on for longer.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { openDatabase } from '../../../db/connection/database.ts';
import { choosePort } from '../../../providers/embedded/ports.ts';
import { patientSession } from '../../support/database.ts';
import { startBalancer } from '../../support/balancer.ts';
import { minutesOfRun, seedOfRun } from '../../support/minutes.ts';
import { serverPrograms } from '../../support/temporal-server.ts';
import { until } from '../../support/until.ts';
import { endOf } from '../chaos/checks.ts';
import { openShops, startLoad, type Load } from '../chaos/load.ts';
import { openOutside } from '../chaos/outside.ts';
import { openFleet, type Api, type Fleet, type Part } from '../upgrades/fleet.ts';
import { thisRelease } from '../upgrades/releases.ts';
import { productionServers, type ProductionServers } from './servers.ts';

const MINUTE_MS = 60_000;
/** For building the server, for the end, and for all else. */
const ALLOWED_MINUTES = 45;
/** Answers between one trouble and the next. */
const ANSWERS = 30;

/** Why it cannot run here; undefined if it can. */
function whyNot(): string | undefined {
  try {
    execFileSync('psql', ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'there is no psql';
  }
}

test('with one API, one worker and Temporal killed under load, the books of the production shape are right', async (t) => {
  t.timeout(((minutesOfRun ?? 0) + ALLOWED_MINUTES) * MINUTE_MS);
  const { signal } = new AbortController();
  const built = await serverPrograms(signal, (line) => t.log(line));
  const missing = 'missing' in built ? built.missing : whyNot();
  if (missing !== undefined || 'missing' in built) {
    t.log(`LEFT OUT: Temporal's production server: ${missing}`);
    t.pass();
    return;
  }
  const outside = await openOutside();
  t.teardown(outside.stop);
  const settings = {
    SMTP_URL: outside.inbox.url,
    CALLBACK_ALLOW_PRIVATE: 'true',
    PAYMENT_WAIT_SECONDS: '2',
  };
  const open = productionServers({ programs: built.folder, settings });
  let servers: ProductionServers | undefined;
  const fleet = await openFleet(t, async (...its) => (servers = await open(...its)));
  t.regex(
    await fleet.command(thisRelease, 'cli/migrate.ts'),
    /The login sundial_service may use it/,
  );
  await temporalIsApart(t, fleet);

  const workers = [await ready(t, fleet), await ready(t, fleet)];
  const apis = [await fleet.api(thisRelease), await fleet.api(thisRelease)];
  const balancer = await startBalancer(apis.map(portOf));
  t.teardown(balancer.stop);
  const session = { ...patientSession, url: fleet.ownerUrl, poolMax: 3, name: 'test' };
  const db = await openDatabase({ ...session, role: 'sundial_app' });
  const relayDb = await openDatabase({ ...session, role: 'sundial_relay' });
  t.teardown(async () => void (await Promise.all([db.close(), relayDb.close()])));
  const shops = await openShops({ db, outside });
  const load = startLoad({ db, apiUrl: balancer.url, outside, seed: seedOfRun }, shops);
  t.teardown(load.giveUp);
  const logs = new Set([...workers, ...apis].map(({ log }) => log));

  const endsAt = Date.now() + (minutesOfRun ?? 0) * MINUTE_MS;
  let rounds = 0;
  do {
    const nth = rounds % 2;
    await moreAnswers(load);
    await workers[nth]?.kill();
    await moreAnswers(load);
    workers[nth] = await ready(t, fleet);
    await moreAnswers(load);
    const killed = apis[nth];
    await killed?.kill();
    await moreAnswers(load);
    if (killed) apis[nth] = await fleet.api(thisRelease, portOf(killed));
    await moreAnswers(load);
    await servers?.restartEngine();
    for (const { log } of [...workers, ...apis]) logs.add(log);
    rounds += 1;
  } while (Date.now() < endsAt);
  await moreAnswers(load);
  await countsWaitingTasks(servers?.metricsUrl ?? '');
  await load.end();

  const { faults, figures } = await endOf({ parts: fleet, db, relayDb, outside, shops });
  t.log(
    `seed ${seedOfRun}, ${rounds} rounds; answered: ${sumOf(load)}, sent again: ${load.again()}`,
  );
  t.log(JSON.stringify({ ...figures, connections: balancer.served }));
  t.deepEqual([...load.findings, ...faults], []);
  // Each has had a share, also one that was soon killed.
  for (const log of logs) {
    const text = readFileSync(log, 'utf8');
    t.regex(
      text,
      log.includes('api')
        ? /"msg":"request"/
        : /"msg":"(payment|billing batch|mail|callbacks|import)"/,
      log,
    );
  }
});

/** It answers a supervisor once it takes tasks. */
async function ready(t: ExecutionContext, fleet: Fleet): Promise<Part> {
  const port = await choosePort({ variable: 'HEALTH_PORT', wanted: undefined });
  const worker = await fleet.worker(thisRelease, { HEALTH_PORT: String(port) });
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
  t.is(status, 200);
  return worker;
}

const portOf = ({ url }: Api): number => Number(new URL(url).port);
const sumOf = ({ done }: Load): number => [...done.values()].reduce((sum, each) => sum + each, 0);

async function moreAnswers(load: Load): Promise<void> {
  const before = sumOf(load);
  await until('the load is answered', async () => sumOf(load) >= before + ANSWERS);
}

/** By it workers are added and taken away: examples/kubernetes/worker.yaml. The server counts once a minute. */
async function countsWaitingTasks(metricsUrl: string): Promise<void> {
  await until('Temporal exports how many tasks wait', async () => {
    const text = await (await fetch(metricsUrl)).text();
    return text
      .split('\n')
      .filter((line) => line.startsWith('approximate_backlog_count{'))
      .some((line) => line.includes('taskqueue="sundial') && line.includes('namespace="default"'));
  });
}

/** Temporal's login does not reach Sundial's database, nor the service's login Temporal's. */
async function temporalIsApart(t: ExecutionContext, { ownerUrl }: Fleet): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  const { rows } = await owner.query(
    `select r.rolname as login, d.datname as database from pg_roles r, pg_database d
     where r.rolname in ('temporal', 'sundial_service') and d.datname not in ('postgres', 'template0', 'template1')
       and has_database_privilege(r.oid, d.oid, 'connect') order by 1, 2`,
  );
  await owner.end();
  t.deepEqual(rows, [
    { login: 'sundial_service', database: 'sundial' },
    { login: 'temporal', database: 'temporal' },
    { login: 'temporal', database: 'temporal_visibility' },
  ]);
}
