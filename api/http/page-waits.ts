/** Limits how many forms wait for what they have begun, such as a payment. */
import { createTurns } from '../../db/connection/turns.ts';

/** Waits, or does not where too many do: the page that follows says what is so. */
export type PageWaits = (
  tenantId: number,
  wait: () => Promise<string | void>,
) => Promise<string | void>;

/** A wait is a call of the engine, and no place of the tenant's calls. */
const WAITS_MAX = 256;
const TENANT_WAITS_MAX = 64;

export function createPageWaits(): PageWaits {
  const nobodyQueues = { waitingMax: 0, laneWaitingMax: 0, waitMs: 0 };
  const turns = createTurns({
    placesMax: WAITS_MAX,
    lanePlacesMax: TENANT_WAITS_MAX,
    ...nobodyQueues,
  });
  return async (tenantId, wait) => {
    const leave = turns.takeNow(String(tenantId));
    if (leave === undefined) return undefined;
    try {
      return await wait();
    } finally {
      leave();
    }
  };
}
