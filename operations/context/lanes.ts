/**
 * Works through items, so many at once. Not p-map: at a failure that one either answers while others
 * are still under way, or goes on through everything. Here nothing new is begun after a failure, and
 * the caller hears of it when nothing is under way any more.
 */

export interface LaneOptions {
  /** Items under way at once. */
  readonly lanes: number;
  /** Asked before each item. */
  readonly mayGoOn?: () => boolean;
}

/** False when it had to stop before the last item; throws the first failure, after all have ended. */
export async function inLanes<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  { lanes, mayGoOn = () => true }: LaneOptions,
): Promise<boolean> {
  const rest = items.values();
  let taken = 0;
  let hasFailed = false;
  async function lane(): Promise<void> {
    while (taken < items.length && !hasFailed && mayGoOn()) {
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
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return taken === items.length;
}
