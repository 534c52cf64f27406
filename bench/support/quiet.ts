/** Waits until a system has finished its work, so that the next measurement does not include it. */
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSystem } from './system.ts';

const LOOK_MS = 500;
/** CPU use, as a share of one core, between two readings. */
const BUSY_SHARE_MAX = 0.1;
const TICKS_PER_SECOND = 100;
const LIMIT_MS = 120_000;

/** Gives up after two minutes: a system that never rests is measured as it is. */
export async function untilQuiet({ pids }: BenchSystem): Promise<void> {
  const giveUpAt = performance.now() + LIMIT_MS;
  let before = await ticksOf(pids);
  while (performance.now() < giveUpAt) {
    await sleep(LOOK_MS);
    const now = await ticksOf(pids);
    if (now - before <= BUSY_SHARE_MAX * TICKS_PER_SECOND * (LOOK_MS / 1000)) return;
    before = now;
  }
}

/** CPU time of the servers and their children, in ticks. */
async function ticksOf(pids: BenchSystem['pids']): Promise<number> {
  return (await cpuSecondsOf(Object.values(pids))) * TICKS_PER_SECOND;
}

/** CPU time of processes and of their present children. */
export async function cpuSecondsOf(pids: readonly number[]): Promise<number> {
  const roots = new Set(pids);
  let ticks = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, parent, , , , , , , , , , user = '0', system = '0'] = fields;
    if (!roots.has(Number(name)) && !roots.has(Number(parent))) continue;
    ticks += Number(user) + Number(system);
  }
  return ticks / TICKS_PER_SECOND;
}
