/** Moves the test clock of a tenant by the interface. */
import { setTimeout as sleep } from 'node:timers/promises';
import { done, text, type RestTarget } from '../../cli/rest.ts';

const LOOK_MS = 50;
const LIMIT_MS = 1_800_000;

/** Advances, and returns the milliseconds until every workflow has woken. */
export async function advance(caller: RestTarget, day: string): Promise<number> {
  await untilReady(caller);
  const began = performance.now();
  await done(caller, 'POST', `/rest/testClock?advanceTo=${day}`);
  await untilReady(caller);
  return performance.now() - began;
}

/** Its first call verifies the password, which a measurement is not to include. */
export async function untilReady(caller: RestTarget): Promise<void> {
  const giveUpAt = performance.now() + LIMIT_MS;
  while (text(await done(caller, 'GET', '/rest/testClock'), 'status') !== 'Ready') {
    if (performance.now() > giveUpAt) throw new Error(`the clock of ${caller.hostName} stands`);
    await sleep(LOOK_MS);
  }
}
