/** The harness for a test file, on a separate database, until the process is done. */

import { registerCompletionHandler } from 'ava';
import { holdRelay, testDatabase } from '../support/database.ts';
import { testBundle, testTemporal } from '../support/temporal.ts';
import { openHarness, type Harness, type Where } from './harness.ts';

/**
 * @param gateway a shorter time limit of its calls
 * @param cachedWorkflows fewer than a worker keeps otherwise
 * @param mail what sends mails
 * @param storage where the files of imports are
 */
export async function startHarness(
  gateway: Where['gateway'] = {},
  cachedWorkflows?: number,
  mail?: Where['mail'],
  storage?: Where['storage'],
): Promise<Harness> {
  const [{ ownerUrl, loginUrl }, temporal, bundle] = await Promise.all([
    testDatabase(),
    testTemporal(),
    testBundle(),
  ]);
  await holdRelay(ownerUrl);
  const harness = await openHarness({
    ownerUrl,
    loginUrl,
    ...temporal,
    bundle,
    gateway,
    ...(cachedWorkflows !== undefined && { cachedWorkflows }),
    ...(storage && { storage }),
    ...(mail !== undefined && { mail }),
  });
  registerCompletionHandler(() => void harness.worker.stop().catch(() => undefined));
  return harness;
}

const shared = new Map<'set' | 'real', Promise<Harness>>();

/**
 * One for all files of this process, whose tests have tenants of their own: a worker takes seconds
 * of the machine to start and to stop.
 *
 * @param time whether each test sets the time first, so all of them are serial, or it is the real one
 */
export function sharedHarness(time: 'set' | 'real'): Promise<Harness> {
  const harness = shared.get(time) ?? startHarness();
  shared.set(time, harness);
  return harness;
}
