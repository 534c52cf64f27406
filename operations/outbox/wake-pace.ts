/**
 * How long after 00:00 the workflows of orders wake: spread by customer, so that few wake at once.
 */
import { countOpenOrders } from '../../db/queries/orders/wake.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { tenantInfo, type Dependencies } from '../context/context.ts';
import { createTimedCache, remember, onceFor } from '../context/timed-cache.ts';

/** The billing run has the first minute of the day to itself. */
export const WAKE_DELAY_MS = 60_000;
/** Up to this many may wake together; they fit into the workers' cache. */
const ORDERS_TOGETHER_MAX = 1_000;
/** Further workflows wake at this steady rate. */
const WAKES_PER_SECOND = 100;
const OPEN_ORDERS_CACHE_MS = 60_000;
const TENANTS_COUNTED_MAX = 10_000;

/** The delay of a customer's orders; never 0, and constant unless the tenant grows. */
export type WakePace = (customerId: number) => number;

export async function wakePace(dependencies: Dependencies, tenantId: number): Promise<WakePace> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const orders = await openOrders(dependencies, tenantId);
  const paced = orders <= ORDERS_TOGETHER_MAX ? 0 : orders / WAKES_PER_SECOND;
  const spreadSeconds = Math.max(tenant.settings.billingWindowSeconds, paced);
  return (customerId) => Math.round(WAKE_DELAY_MS + spreadSeconds * 1_000 * fractionOf(customerId));
}

const YIELD_MS = 10_000;
const YIELD_SPREAD_MS = 5_000;

/** How long what is due of a customer is left to the run of the day. */
export function yieldMsOf(customerId: number): number {
  return YIELD_MS + YIELD_SPREAD_MS * fractionOf(customerId);
}

/** From 0 up to 1: consecutive ids are far apart (multiples of the golden ratio). */
export function fractionOf(id: number): number {
  return (id * 0.618_033_988_749_895) % 1;
}

const countsOf = onceFor((_db: Dependencies['db']) =>
  onceFor((clock: () => number) =>
    createTimedCache<number, Promise<number>>({ clock, entriesMax: TENANTS_COUNTED_MAX }),
  ),
);

function openOrders({ db, realNow }: Dependencies, tenantId: number): Promise<number> {
  return remember(countsOf(db)(realNow), tenantId, { forMs: OPEN_ORDERS_CACHE_MS }, () =>
    inTenant(db, tenantId, countOpenOrders, { readOnly: true }),
  );
}
