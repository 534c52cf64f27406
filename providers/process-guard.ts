/**
 * Ends a child process when its parent is gone, or when a piece of work takes too much processor
 * time, even in the middle of an endless loop.
 */
import { Worker } from 'node:worker_threads';

export interface ProcessGuard {
  /** Does work that may take `cpuMsMax`; beyond it, the process ends with SIGXCPU. */
  readonly limited: <Result>(work: () => Result) => Result;
}

/** A separate thread looks, because the main thread may be busy. */
const guard = `
  const { workerData } = require('node:worker_threads');
  const { begunAt, cpuMsMax } = workerData;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    const { user, system } = process.cpuUsage();
    const isLate = begunAt[0] > 0 && (user + system) / 1000 - begunAt[0] > cpuMsMax;
    if (isLate) process.kill(process.pid, 'SIGXCPU');
  }, 100);`;

/**
 * @param cpuMsMax of the process's own time, so that a loaded machine, or one that sleeps, ends no
 *   work that needs little
 */
export function guardProcess(cpuMsMax = Infinity): ProcessGuard {
  // In milliseconds of processor time; 0 while nothing is done.
  const begunAt = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const workerData = { begunAt, cpuMsMax };
  const resourceLimits = { maxOldGenerationSizeMb: 8 };
  new Worker(guard, { eval: true, workerData, resourceLimits }).unref();
  process.on('disconnect', () => process.exit());
  return {
    limited(work) {
      const { user, system } = process.cpuUsage();
      begunAt[0] = (user + system) / 1_000;
      try {
        return work();
      } finally {
        begunAt[0] = 0;
      }
    },
  };
}
