/** The harness for a test file, on a separate database, until the file is done. */

import { registerCompletionHandler } from 'ava';
import { holdRelay, testDatabase } from '../support/database.ts';
import { testBundle, testTemporal } from '../support/temporal.ts';
import { openHarness } from './harness.ts';
import type { Harness, Where } from './harness.ts';

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
  const [{ ownerUrl }, temporal, bundle] = await Promise.all([
    testDatabase(),
    testTemporal(),
    testBundle(),
  ]);
  await holdRelay(ownerUrl);
  const harness = await openHarness({
    ownerUrl,
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
