/**
 * A hostile tenant beside a normal one: the normal one's times, ended processes, growth of memory.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, target } from './api/children.ts';
import type { Database } from '../db/connection/database.ts';
import { inTenant } from '../db/connection/tenancy.ts';
import type { HostileAssignment, HostileCounts } from './soak/hostile.ts';
import type { NormalAssignment, NormalMeasured } from './soak/normal.ts';
import { reportSoak } from './soak/report.ts';
import type { MemorySample, SoakFigures } from './soak/report.ts';
import { cpuOf, cpuPer } from './support/cpu.ts';
import { memoryOf } from './support/memory.ts';
import { untilQuiet } from './support/quiet.ts';
import { runBench } from './support/run.ts';
import { makeTenant, type BenchSystem, type Pids } from './support/system.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly json: boolean;
}

const MINUTE_MS = 60_000;
/** The share of the time in which the normal tenant is measured alone. */
const QUIET_SHARE = 0.25;
const CUSTOMERS = 200;
const WARM_MS = 3_000;
/** Samples of memory during the load. */
const SAMPLES = 15;

export function soak({ minutes, json }: SoakOptions): Promise<void> {
  return runBench({
    json,
    measure: (system, say) => measure(system, minutes, say),
    report: reportSoak,
  });
}

async function measure(
  system: BenchSystem,
  minutes: number,
  say: (line: string) => void,
): Promise<SoakFigures> {
  const customersOf = async (label: string) =>
    fillCustomers(system.db, await makeTenant(system, label, { file: 'soak/tenant.yaml' }));
  const facts = { customers: await customersOf('normal'), contractCode: 'MONTHLY' };
  const hostileCustomers = await customersOf('hostile');
  const { port, authorization } = target(Number(new URL(system.apiUrl).port));
  const normal = await startChild('../soak/normal.ts', []);
  const hostile = await startChild('../soak/hostile.ts', []);
  const ask = async (forMs: number): Promise<NormalMeasured> => {
    const at = { port, authorization, host: 'normal.localhost' };
    normal.say({ target: at, facts, forMs } satisfies NormalAssignment);
    return JSON.parse(await normal.nextLine()) as NormalMeasured;
  };
  try {
    await ask(WARM_MS);
    await untilQuiet(system);
    say('The normal tenant by itself');
    const quiet = await ask(minutes * QUIET_SHARE * MINUTE_MS);
    await untilQuiet(system);
    say('Both tenants');
    const forMs = minutes * (1 - QUIET_SHARE) * MINUTE_MS;
    const memory = watchMemory(system, forMs);
    const cpuBefore = await cpuOf(pidsOf(system));
    hostile.say({
      port,
      authorization,
      ownHost: 'hostile.localhost',
      otherHost: 'normal.localhost',
      customers: hostileCustomers,
      thisMonth: new Date().toISOString().slice(0, 7),
      forMs,
    } satisfies HostileAssignment);
    const [underLoad, hostileSaid] = await Promise.all([ask(forMs), hostile.nextLine()]);
    const counts = JSON.parse(hostileSaid) as HostileCounts;
    assertReal(counts);
    const cpuAfter = await cpuOf(pidsOf(system));
    return {
      minutes,
      quiet,
      underLoad,
      p99Ratio: underLoad.p99Ms / quiet.p99Ms,
      hostile: counts,
      deaths: system.deaths(),
      cpuCores: cpuPer(cpuBefore, cpuAfter, forMs / 1_000),
      memory: await memory,
    };
  } finally {
    normal.end();
    hostile.end();
  }
}

/** Beside a load that was refused altogether the figures would mean nothing. */
function assertReal({ orders, lists, guesses }: HostileCounts): void {
  const taken = { orders: orders['201'], lists: lists['200'], guesses: guesses['401'] };
  for (const [what, count = 0] of Object.entries(taken)) {
    if (count === 0) throw new Error(`the hostile tenant's ${what} were all refused`);
  }
}

/** The present processes: one that ended was restarted. */
const pidsOf = (system: BenchSystem): Pids => ({ ...system.pids, ...system.pidsNow() });

async function watchMemory(system: BenchSystem, forMs: number): Promise<MemorySample[]> {
  const samples: MemorySample[] = [];
  const began = performance.now();
  for (let count = 0; count <= SAMPLES; count += 1) {
    await sleep(Math.max(0, began + (forMs / SAMPLES) * count - performance.now()));
    const pids = pidsOf(system);
    samples.push({
      minutes: (performance.now() - began) / MINUTE_MS,
      api: await memoryOf(pids.api),
      worker: await memoryOf(pids.worker),
      postgres: await memoryOf(pids.postgres),
    });
  }
  return samples;
}

async function fillCustomers(db: Database, tenantId: number): Promise<number[]> {
  const rows = await inTenant(db, tenantId, (tx) =>
    tx.query<{ id: number }>(
      `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
       select $1, 'Customer ' || n, 'Active', 'USD', now(), now() from generate_series(1, $2::int) n
       returning id`,
      [tenantId, CUSTOMERS],
    ),
  );
  return rows.map(({ id }) => id);
}
