/** Long work on the event loop goes in slices, between which the calls of others have their turn. */
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 5;

export interface Slices {
  /** Lets others have their turn where this slice was long enough. */
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

/** Not inside of a transaction, whose connection would wait meanwhile. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  slices: Slices = startSlices(),
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    const paused = slices.pause();
    // Most lists are one slice, and wait for nothing.
    if (paused !== undefined) await paused;
    results.push(map(item));
  }
  return results;
}
