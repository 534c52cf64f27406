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

/** The longest pause between passes while the database does not answer. */
const PAUSE_MS_MAX = 5_000;

interface Patience {
  /** The pause after a pass that has done all. */
  readonly passMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * A pass for a loop that reports its failures, and waits longer after each. The next one follows at
 * once while there is more to do.
 *
 * @param pass true if there is more
 */
export function patient(
  { passMs, onError }: Patience,
  pass: (signal: AbortSignal) => Promise<boolean>,
): (signal: AbortSignal) => Promise<number> {
  let pauseMs = passMs;
  return async (signal) => {
    try {
      const hasMore = await pass(signal);
      pauseMs = passMs;
      return hasMore ? 0 : pauseMs;
    } catch (error) {
      // Usually the database is down: the next pass tries again.
      onError(error);
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
      return pauseMs;
    }
  };
}
