/** Has every workflow started again when the engine is another one, or has lost its data. */
import type { Database } from '../db/database.ts';
import {
  allTenantIds,
  enqueueOpenOrders,
  enqueuePending,
  keepInstallation,
  readInstallation,
} from '../db/queries/missing-workflows.ts';
import { inTenant } from '../db/tenancy.ts';
import { enqueue, idPrefixOf } from './outbox.ts';
import { tenantInfo } from './services.ts';
import type { Services } from './services.ts';

const NAMESPACE_KEY = 'temporal_namespace_id';
const STARTS_PER_SECOND = 100;

/**
 * Compares the engine's namespace with the one that the database remembers. Answers with the
 * number of orders and payments enqueued; 0 when it is the same. A crash in between repeats it,
 * harmlessly.
 */
export async function enqueueMissing(
  services: Services,
  relayDb: Database,
  namespaceId: string,
): Promise<number> {
  const { pool } = services.db;
  if ((await readInstallation(pool, NAMESPACE_KEY)) === namespaceId) return 0;
  let orders = 0;
  let payments = 0;
  for (const tenantId of await allTenantIds(relayDb.pool)) {
    const tenant = await tenantInfo(services, tenantId);
    payments += await inTenant(services.db, tenantId, (tx) =>
      enqueuePending(tx, idPrefixOf(tenant, 'payment')),
    );
    const idPrefix = idPrefixOf(tenant, 'order');
    orders += await inTenant(services.db, tenantId, async (tx) => {
      // The clock's workflow ends by itself where there is nothing to do.
      const kind = tenant.hasTestClock ? 'clock' : 'billing';
      enqueue({ tx, tenant }, [{ kind, objectId: null }]);
      return enqueueOpenOrders(tx, { idPrefix, perSecond: STARTS_PER_SECOND, after: orders });
    });
  }
  await keepInstallation(pool, NAMESPACE_KEY, namespaceId);
  return orders + payments;
}
