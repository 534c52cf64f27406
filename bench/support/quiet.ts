/** Waits until a system has finished its work, so that the next measurement does not include it. */
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pids } from './system.ts';

const LOOK_MS = 500;
/** CPU use, as a share of one core, between two readings. */
const BUSY_SHARE_MAX = 0.1;
const TICKS_PER_SECOND = 100;
const LIMIT_MS = 120_000;

/** Gives up after two minutes: a system that never rests is measured as it is. */
export async function untilQuiet({ pids }: { readonly pids: Pids }): Promise<void> {
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
async function ticksOf(pids: Pids): Promise<number> {
  return (await cpuSecondsOf(Object.values(pids))) * TICKS_PER_SECOND;
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
