/** Waits for a condition, however slow the machine is. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS_MIN = 25;
const LOOK_MS_MAX = 100;
/** Of the time that it has waited: each look costs the machine some work that others wait for. */
const LOOK_SHARE = 0.1;
/** What has not come until then never comes. */
export const WAIT_MS_MAX = 240_000;

export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await holds())) {
    const waitedMs = performance.now() - began;
    if (waitedMs > WAIT_MS_MAX) throw new Error(`it never came to this: ${what}`);
    await sleep(Math.min(Math.max(waitedMs * LOOK_SHARE, LOOK_MS_MIN), LOOK_MS_MAX));
  }
}
