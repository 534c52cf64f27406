/**
 * Processes items concurrently. It starts nothing new after a failure, and returns once nothing is
 * under way any more. p-map either returns at a failure while other items are under way, or
 * continues with all items.
 */

export interface LaneOptions {
  /** The number of items under way at a time. */
  readonly lanes: number;
  /** Called before each item. */
  readonly mayContinue?: () => boolean;
}

/**
 * False if it had to stop before the last item. Throws the first failure after all items have
 * ended.
 */
export async function inLanes<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  { lanes, mayContinue = () => true }: LaneOptions,
): Promise<boolean> {
  const rest = items.values();
  let taken = 0;
  let hasFailed = false;
  async function lane(): Promise<void> {
    while (taken < items.length && !hasFailed && mayContinue()) {
      const next = rest.next();
      if (next.done) return;
      taken += 1;
      try {
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  }
  await allDone(Array.from({ length: lanes }, lane));
  return taken === items.length;
}

/** As Promise.all, but nothing is under way any more when it throws: a transaction may end then. */
export async function allDone<const Asked extends readonly unknown[]>(asked: Asked) {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

/** The items in their order, in batches of a size. */
export function batchesOf<Item>(items: readonly Item[], size: number): readonly Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, nth) => items.slice(nth * size, (nth + 1) * size));
}

const TENANTS_AT_ONCE_MAX = 2;

interface Turns {
  readonly signal: AbortSignal | undefined;
  readonly onError: (error: unknown) => void;
}

/** Gives each tenant one turn. A failure of one is reported, and does not stop the others. */
export async function eachTenant(
  tenantIds: readonly number[],
  work: (tenantId: number) => Promise<void>,
  { signal, onError }: Turns,
): Promise<void> {
  await inLanes(tenantIds, (id) => work(id).catch(onError), {
    lanes: TENANTS_AT_ONCE_MAX,
    mayContinue: () => signal?.aborted !== true,
  });
}
