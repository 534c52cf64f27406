/** Divides long work on the event loop into slices, so that other calls run in between. */
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 5;

export interface Slices {
  /** Yields to other calls if this slice was long enough. */
  readonly pause: () => Promise<void> | undefined;
}

/** @param clock milliseconds that only go forwards */
export function startSlices(clock: () => number = () => performance.now()): Slices {
  let began = clock();
  return {
    pause() {
      if (clock() - began < SLICE_MS) return undefined;
      return setImmediate().then(() => void (began = clock()));
    },
  };
}

/** Never call it inside a transaction: the connection would wait meanwhile. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  slices: Slices = startSlices(),
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    const paused = slices.pause();
    // Most lists are one slice and never wait.
    if (paused !== undefined) await paused;
    results.push(map(item));
  }
  return results;
}
