/** Waits for a condition, however slow the machine is. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 25;
const LIMIT_SECONDS = 240;

export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + LIMIT_SECONDS * 1_000;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`it never came to this: ${what}`);
    await sleep(LOOK_MS);
  }
}
