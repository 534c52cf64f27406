/** Waits until a system has finished its work, so that the next measurement does not include it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf } from './cpu.ts';
import type { Pids } from './system.ts';

const LOOK_MS = 500;
/** CPU use, as a share of one core, between two readings. */
const BUSY_SHARE_MAX = 0.1;
const LIMIT_MS = 120_000;

/** Gives up after two minutes: a system that never rests is measured as it is. */
export async function untilQuiet({ pids }: { readonly pids: Pids }): Promise<void> {
  const servers = Object.values(pids);
  const giveUpAt = performance.now() + LIMIT_MS;
  let before = await cpuSecondsOf(servers);
  while (performance.now() < giveUpAt) {
    await sleep(LOOK_MS);
    const now = await cpuSecondsOf(servers);
    if (now - before <= (BUSY_SHARE_MAX * LOOK_MS) / 1_000) return;
    before = now;
  }
}
