/** Has every workflow started again when the engine is another one, or has lost its data. */
import type { Database } from '../../db/connection/database.ts';
import {
  allTenantIds,
  enqueueOpenOrders,
  enqueuePending,
  keepInstallation,
  lockOwners,
  readInstallation,
} from '../../db/queries/outbox/missing-workflows.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { enqueue, idPrefixOf } from './enqueue.ts';
import { tenantInfo } from '../context/context.ts';
import type { Dependencies } from '../context/context.ts';

const NAMESPACE_KEY = 'temporal_namespace_id';
const STARTS_PER_SECOND = 100;
/** One batch is one transaction, which holds its customers. */
const CUSTOMERS_AT_ONCE_MAX = 500;

/**
 * Compares the engine's namespace with the one that the database remembers. Answers with the
 * number of orders and payments enqueued; 0 when it is the same. A crash in between repeats it,
 * harmlessly.
 */
export async function enqueueMissing(
  dependencies: Dependencies,
  relayDb: Database,
  namespaceId: string,
): Promise<number> {
  const { pool } = dependencies.db;
  if ((await readInstallation(pool, NAMESPACE_KEY)) === namespaceId) return 0;
  let orders = 0;
  let payments = 0;
  for (const tenantId of await allTenantIds(relayDb.pool)) {
    const tenant = await tenantInfo(dependencies, tenantId);
    const paymentPrefix = idPrefixOf(tenant, 'payment');
    payments += await byOwners(dependencies, tenantId, 'payment', (tx, customerIds) =>
      enqueuePending(tx, { customerIds, idPrefix: paymentPrefix }),
    );
    // The clock's workflow ends by itself where there is nothing to do.
    const kind = tenant.hasTestClock ? 'clock' : 'billing';
    await inTenant(dependencies.db, tenantId, async (tx) =>
      enqueue({ tx, tenant }, [{ kind, objectId: null }]),
    );
    const idPrefix = idPrefixOf(tenant, 'order');
    const pace = { idPrefix, perSecond: STARTS_PER_SECOND };
    const before = orders;
    orders += await byOwners(dependencies, tenantId, 'order', (tx, customerIds, soFar) =>
      enqueueOpenOrders(tx, { ...pace, customerIds, after: before + soFar }),
    );
  }
  await keepInstallation(pool, NAMESPACE_KEY, namespaceId);
  return orders + payments;
}

/** Enqueues for some customers at a time, and answers how many rows that were. */
async function byOwners(
  dependencies: Dependencies,
  tenantId: number,
  kind: 'order' | 'payment',
  enqueueFor: (tx: Tx, customerIds: readonly number[], soFar: number) => Promise<number>,
): Promise<number> {
  let enqueued = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const range = { after, limit: CUSTOMERS_AT_ONCE_MAX };
    after = await inTenant(dependencies.db, tenantId, async (tx) => {
      const customerIds = await lockOwners(tx, kind, range);
      if (customerIds.length > 0) enqueued += await enqueueFor(tx, customerIds, enqueued);
      return customerIds.at(-1);
    });
  }
  return enqueued;
}
