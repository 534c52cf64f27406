/** How long after 00:00 the workflows of orders wake: spread by the customer, so that few come at once. */
import { countOpenOrders } from '../../db/queries/runs/wake-order.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { tenantInfo } from '../context/context.ts';
import type { Dependencies } from '../context/context.ts';

/** The billing run has the first minute of the day to itself. */
export const WAKE_DELAY_MS = 60_000;
/** So few wake together without harm; the workers hold them in their cache. */
const ORDERS_TOGETHER_MAX = 1_000;
/** More than that follow at a steady pace. */
const WAKES_PER_SECOND = 100;
const OPEN_ORDERS_CACHE_MS = 60_000;

/** Of a customer's orders; never 0, and the same each time unless the tenant grows. */
export type WakePace = (customerId: number) => number;

export async function wakePace(dependencies: Dependencies, tenantId: number): Promise<WakePace> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const orders = await openOrders(dependencies, tenantId);
  const paced = orders <= ORDERS_TOGETHER_MAX ? 0 : orders / WAKES_PER_SECOND;
  const spreadSeconds = Math.max(tenant.settings.billingWindowSeconds, paced);
  return (customerId) => Math.round(WAKE_DELAY_MS + spreadSeconds * 1_000 * fractionOf(customerId));
}

/** From 0 up to 1: ids that follow one another land far apart (the golden ratio's multiples). */
export function fractionOf(id: number): number {
  return (id * 0.618_033_988_749_895) % 1;
}

const counted = new WeakMap<
  Dependencies['db'],
  Map<number, { until: number; count: Promise<number> }>
>();

function openOrders(dependencies: Dependencies, tenantId: number): Promise<number> {
  let cache = counted.get(dependencies.db);
  if (!cache) counted.set(dependencies.db, (cache = new Map()));
  const now = dependencies.realNow();
  const known = cache.get(tenantId);
  if (known && known.until > now) return known.count;
  const count = inTenant(dependencies.db, tenantId, countOpenOrders, { readOnly: true });
  // One that fails is asked again at once.
  count.catch(() => cache.delete(tenantId));
  cache.set(tenantId, { until: now + OPEN_ORDERS_CACHE_MS, count });
  return count;
}
