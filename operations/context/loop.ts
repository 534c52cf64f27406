/** Runs a pass of work again and again as long as the process lives. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Loop {
  /** Resolves when the current pass has ended. */
  readonly stop: () => Promise<void>;
}

/** @param pass returns the pause after it, and must not fail */
export function startLoop(pass: (signal: AbortSignal) => Promise<number>): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      const restMs = await pass(signal);
      await sleep(restMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const ended = run();
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}
