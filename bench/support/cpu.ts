/** The CPU time of a system's processes. */
import { readFile, readdir } from 'node:fs/promises';
import type { Pids } from './system.ts';

export const parts = ['api', 'postgres', 'worker', 'temporal'] as const satisfies (keyof Pids)[];

/** A figure for each of these processes, such as seconds of CPU. */
export type CpuFigures = Readonly<Record<(typeof parts)[number], number>>;

const TICKS_PER_SECOND = 100;

/** Seconds of each process with its children. */
export async function cpuOf(pids: Pids): Promise<CpuFigures> {
  const [api, postgres, worker, temporal] = await Promise.all([
    cpuSecondsOf([pids.api]),
    cpuSecondsOf([pids.postgres]),
    cpuSecondsOf([pids.worker]),
    cpuSecondsOf([pids.temporal]),
  ]);
  return { api, postgres, worker, temporal };
}

/** What each process used between two readings, divided by a count of calls or of seconds. */
export function cpuPer(before: CpuFigures, after: CpuFigures, count: number): CpuFigures {
  const per = (part: keyof CpuFigures): number => (after[part] - before[part]) / count;
  return {
    api: per('api'),
    postgres: per('postgres'),
    worker: per('worker'),
    temporal: per('temporal'),
  };
}

/** CPU time of processes and of their children, also of those that have ended. */
export async function cpuSecondsOf(pids: readonly number[]): Promise<number> {
  const roots = new Set(pids);
  let ticks = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, parent, , , , , , , , , , ...times] = fields;
    const isRoot = roots.has(Number(name));
    if (!isRoot && !roots.has(Number(parent))) continue;
    // Its own in user and system mode, then those of the children that it has waited for.
    for (const each of times.slice(0, isRoot ? 4 : 2)) ticks += Number(each);
  }
  return ticks / TICKS_PER_SECOND;
}
