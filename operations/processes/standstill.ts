/**
 * Ends a process whose event loop is blocked. It serves no calls, and its supervisor starts another
 * process, which finds the suspects in the notes.
 */
import { Worker } from 'node:worker_threads';

/** Longer than any single computation on a loaded machine. */
export const STANDSTILL_SECONDS_MAX = 60;
const BEAT_MS = 1_000;
const MEGABYTES_MAX = 8;

// This counts ticks instead of time, because a machine that sleeps does not tick.
const guard = `
  const { parentPort, workerData } = require('node:worker_threads');
  let silent = 0;
  parentPort.on('message', () => (silent = 0));
  setInterval(() => {
    silent += 1;
    if (silent > workerData) process.kill(process.pid, 'SIGKILL');
  }, ${BEAT_MS});`;

/** The guard does not keep an idle process alive. */
export function guardEventLoop(secondsMax = STANDSTILL_SECONDS_MAX): void {
  const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES_MAX };
  const thread = new Worker(guard, { eval: true, workerData: secondsMax, resourceLimits });
  thread.unref();
  setInterval(() => thread.postMessage('beat'), BEAT_MS).unref();
}
