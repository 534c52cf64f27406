/**
 * Ends a process whose event loop stands still: it serves nobody, and its keeper starts another one,
 * which finds in the notes at whom it stands.
 */
import { Worker } from 'node:worker_threads';

/** Longer than anything that computes in one go, on a machine that has much else to do. */
export const STANDSTILL_SECONDS_MAX = 60;
const BEAT_MS = 1_000;
const MEGABYTES_MAX = 8;

// Ticks of its own, not times of day: a machine that sleeps does not tick.
const guard = `
  const { parentPort, workerData } = require('node:worker_threads');
  let silent = 0;
  parentPort.on('message', () => (silent = 0));
  setInterval(() => {
    silent += 1;
    if (silent > workerData) process.kill(process.pid, 'SIGKILL');
  }, ${BEAT_MS});`;

/** Keeps no process alive that has nothing else to do. */
export function guardEventLoop(secondsMax = STANDSTILL_SECONDS_MAX): void {
  const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES_MAX };
  const thread = new Worker(guard, { eval: true, workerData: secondsMax, resourceLimits });
  thread.unref();
  setInterval(() => thread.postMessage('beat'), BEAT_MS).unref();
}
