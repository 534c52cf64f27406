/** The Temporal server and the bundled workflows of this test run. */

import { randomBytes } from 'node:crypto';
import { testServers } from './servers.ts';

// AVA fails a file on any unhandled rejection. Rejections of workflows are handled late by design,
// and the SDK's own tests do the same.
process.removeAllListeners('unhandledRejection');

export async function testTemporal(): Promise<{ address: string; namespace: string }> {
  const { address, namespace } = await testServers('temporal');
  return { address, namespace };
}

/** For `Worker.create({ workflowBundle })`. */
export async function testBundle(): Promise<{ codePath: string }> {
  return { codePath: (await testServers('bundle')).bundle };
}

/**
 * For tenant labels and task queues. Cloned databases have the same sequence values, so without it
 * the workflow ids of two test files would collide on the one Temporal server.
 */
export function suffix(): string {
  return randomBytes(4).toString('hex');
}

/** For a client of a test: the engine answers, however busy the machine is. */
export const patient = { connectTimeout: '5 minutes' } as const;
