/** The largest memory of API and worker while something is done, and what they had before it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../support/memory.ts';
import type { BenchSystem } from '../support/system.ts';

const LOOK_MS = 250;
const watched = ['api', 'worker'] as const;

/** Megabytes. */
export type Memory = Readonly<Record<(typeof watched)[number], number>>;

export interface Watched<Result> {
  readonly result: Result;
  /** The peak above what was there before. */
  readonly more: Memory;
}

export async function watchingMemory<Result>(
  system: BenchSystem,
  work: () => Promise<Result>,
): Promise<Watched<Result>> {
  const before = await memories(system);
  let peak = before;
  const stop = new AbortController();
  const looking = (async () => {
    while (!stop.signal.aborted) {
      const now = await memories(system);
      peak = { api: Math.max(peak.api, now.api), worker: Math.max(peak.worker, now.worker) };
      await sleep(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  try {
    const result = await work();
    return {
      result,
      more: { api: peak.api - before.api, worker: peak.worker - before.worker },
    };
  } finally {
    stop.abort();
    await looking;
  }
}

async function memories({ pids }: BenchSystem): Promise<Memory> {
  const [api, worker] = await Promise.all([memoryOf(pids.api), memoryOf(pids.worker)]);
  return { api, worker };
}
