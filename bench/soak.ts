/**
 * A hostile tenant beside a normal one: the normal one's times with and without it, in turns of ten
 * seconds, so that both see the same disk; ended processes, and growth of memory.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, target } from './api/children.ts';
import type { HostileAssignment, HostileCounts } from './soak/hostile.ts';
import type { NormalAssignment, NormalPhases } from './soak/normal.ts';
import { reportSoak, type MemorySample, type SoakFigures } from './soak/report.ts';
import { durationMs, pairsIn, type Turns } from './soak/turns.ts';
import { cpuOf, cpuPer } from './support/cpu.ts';
import { fillCustomers } from './support/customers.ts';
import { memoryOf } from './support/memory.ts';
import { untilQuiet } from './support/quiet.ts';
import { benchOfSystem, type Asked } from './support/run.ts';
import { makeTenant, type BenchSystem, type Pids } from './support/system.ts';

const MINUTE_MS = 60_000;
/** Until both clients have connected; the first turn is a quiet one. */
const LEAD_MS = 500;
/** Samples of memory during the turns. */
const SAMPLES = 15;

export const soak = benchOfSystem({ measure, report: reportSoak });

async function measure(system: BenchSystem, { minutes, say }: Asked): Promise<SoakFigures> {
  const customersOf = async (label: string) =>
    fillCustomers(system.db, await makeTenant(system, label, { file: 'soak/tenant.yaml' }));
  const facts = { customers: await customersOf('normal'), contractCode: 'MONTHLY' };
  const hostileCustomers = await customersOf('hostile');
  const { port, authorization } = target(Number(new URL(system.apiUrl).port));
  const normal = await startChild('../soak/normal.ts', []);
  const hostile = await startChild('../soak/hostile.ts', []);
  const ask = async (turns: Turns): Promise<NormalPhases> => {
    const at = { port, authorization, host: 'normal.localhost' };
    normal.say({ target: at, facts, turns } satisfies NormalAssignment);
    return JSON.parse(await normal.nextLine()) as NormalPhases;
  };
  try {
    say('Warming up, without the hostile tenant');
    await ask(turnsFromNow(1));
    await untilQuiet(system);
    const turns = turnsFromNow(pairsIn(minutes));
    const forMs = durationMs(turns);
    say(`In turns of ten seconds, for ${forMs / MINUTE_MS} min`);
    const memory = watchMemory(system, forMs);
    const cpuBefore = await cpuOf(pidsOf(system));
    hostile.say({
      port,
      authorization,
      ownHost: 'hostile.localhost',
      otherHost: 'normal.localhost',
      customers: hostileCustomers,
      thisMonth: new Date().toISOString().slice(0, 7),
      turns,
    } satisfies HostileAssignment);
    const [phases, hostileSaid] = await Promise.all([ask(turns), hostile.nextLine()]);
    const counts = JSON.parse(hostileSaid) as HostileCounts;
    assertReal(counts);
    const cpuAfter = await cpuOf(pidsOf(system));
    return {
      minutes: forMs / MINUTE_MS,
      normal: phases,
      p99Ratio: phases.beside.p99Ms / phases.quiet.p99Ms,
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

const turnsFromNow = (pairs: number): Turns => ({ beganAt: Date.now() + LEAD_MS, pairs });

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
