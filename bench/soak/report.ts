/** Prints the figures of a soak for people. */
import type { CpuFigures } from '../support/cpu.ts';
import type { HostileCounts } from './hostile.ts';
import type { Statuses } from './lane.ts';
import type { NormalMeasured, NormalPhases } from './normal.ts';
import { SETTLING_MS } from './turns.ts';

export interface MemorySample {
  /** Since the first turn began. */
  readonly minutes: number;
  readonly api: number;
  readonly worker: number;
  readonly postgres: number;
}

export interface SoakFigures {
  readonly minutes: number;
  /** The normal tenant in its quiet turns, in those beside the hostile one, and after changes. */
  readonly normal: NormalPhases;
  /** The p99 beside the hostile tenant divided by the quiet one. */
  readonly p99Ratio: number;
  readonly hostile: HostileCounts;
  /** The start's messages about processes that ended. */
  readonly deaths: readonly string[];
  /** Cores that each process used, in all turns. */
  readonly cpuCores: CpuFigures;
  readonly memory: readonly MemorySample[];
}

export function reportSoak(figures: SoakFigures): string {
  const { minutes, normal, p99Ratio, hostile, deaths, cpuCores, memory } = figures;
  const lines = [
    `A hostile tenant beside a normal one, ${minutes} min, in turns of ten seconds`,
    'POST order of the normal one     requests   p50 ms   p99 ms   max ms  answers',
    rowOf('quiet', normal.quiet),
    rowOf('beside the hostile one', normal.beside),
    rowOf(`${SETTLING_MS / 1_000} s after each change`, normal.settling),
    `p99 beside the hostile one: ${p99Ratio.toFixed(2)} times the quiet one`,
    `hostile: orders of 5,000 charges ${answersOf(hostile.orders)}; lists ` +
      `${answersOf(hostile.lists)}; wrong passwords ${answersOf(hostile.guesses)}`,
    deaths.length === 0 ? 'no process ended' : `ENDED: ${deaths.join('; ')}`,
    `cores: ${Object.entries(cpuCores)
      .map(([name, cores]) => `${name} ${cores.toFixed(2)}`)
      .join(', ')}`,
    'memory in MB after minutes: API, worker, PostgreSQL',
    ...memory.map(
      (each) =>
        `${each.minutes.toFixed(1).padStart(6)}: ${each.api}, ${each.worker}, ${each.postgres}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function rowOf(name: string, { requests, p50Ms, p99Ms, maxMs, statuses }: NormalMeasured): string {
  return [
    name.padEnd(30),
    String(requests).padStart(11),
    ...[p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1).padStart(9)),
    `  ${answersOf(statuses)}`,
  ].join('');
}

function answersOf(statuses: Statuses): string {
  const each = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  return each.length === 0 ? 'none' : each.join(', ');
}
