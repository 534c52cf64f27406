/** Restarts every workflow if the engine is a new one, or has lost its data. */
import type { Database } from '../../db/connection/database.ts';
import { keepInstallation, readInstallation } from '../../db/queries/context/installation.ts';
import {
  allTenantIds,
  enqueueNeeded,
  lockOwners,
} from '../../db/queries/outbox/missing-workflows.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { tenantInfo, type Dependencies, type TenantInfo } from '../context/context.ts';
import type { ObjectWorkflowKind } from '../context/kinds.ts';
import {
  objectWorkflowKinds,
  objectWorkflows,
  tenantWorkflowKinds,
  tenantWorkflows,
} from '../workflow-kinds/table.ts';
import { enqueue, idPrefixOf } from './enqueue.ts';

const NAMESPACE_KEY = 'temporal_namespace_id';
const STARTS_PER_SECOND = 100;
/** A batch is one transaction, which locks its customers. */
const CUSTOMERS_AT_ONCE_MAX = 500;

/**
 * Compares the engine's namespace with the one stored in the database. Returns the number of
 * objects enqueued; 0 if it is the same. Repeating it after a crash is harmless.
 */
export async function enqueueMissing(
  dependencies: Dependencies,
  relayDb: Database,
  namespaceId: string,
): Promise<number> {
  const { pool } = dependencies.db;
  if ((await readInstallation(pool, NAMESPACE_KEY)) === namespaceId) return 0;
  const enqueued = new Map<ObjectWorkflowKind, number>();
  for (const tenantId of await allTenantIds(relayDb.pool)) {
    const tenant = await tenantInfo(dependencies, tenantId);
    await enqueueOwn(dependencies, tenant);
    for (const kind of objectWorkflowKinds) {
      const before = enqueued.get(kind) ?? 0;
      enqueued.set(kind, before + (await enqueueObjects(dependencies, tenant, kind, before)));
    }
  }
  await keepInstallation(pool, NAMESPACE_KEY, namespaceId);
  return [...enqueued.values()].reduce((sum, count) => sum + count, 0);
}

function enqueueOwn({ db }: Dependencies, tenant: TenantInfo): Promise<void> {
  return inTenant(db, tenant.id, async (tx) => {
    for (const kind of tenantWorkflowKinds) {
      if (!(await tenantWorkflows[kind].isNeeded(tx, tenant))) continue;
      enqueue({ tx, tenant }, [{ kind, objectId: null }]);
    }
  });
}

/** Enqueues for some customers at a time, if customers own them. Returns the number of rows. */
async function enqueueObjects(
  { db }: Dependencies,
  tenant: TenantInfo,
  kind: ObjectWorkflowKind,
  before: number,
): Promise<number> {
  const { needed, isOwned, isPaced } = objectWorkflows[kind];
  const options = {
    kind,
    needed,
    idPrefix: idPrefixOf(tenant, kind),
    perSecond: isPaced ? STARTS_PER_SECOND : null,
  };
  if (!isOwned) {
    return inTenant(db, tenant.id, (tx) =>
      enqueueNeeded(tx, { ...options, customerIds: null, after: before }),
    );
  }
  let enqueued = 0;
  for (let last: number | undefined = 0; last !== undefined;) {
    const range = { after: last, limit: CUSTOMERS_AT_ONCE_MAX };
    last = await inTenant(db, tenant.id, async (tx) => {
      const customerIds = await lockOwners(tx, needed, range);
      if (customerIds.length > 0) {
        const after = before + enqueued;
        enqueued += await enqueueNeeded(tx, { ...options, customerIds, after });
      }
      return customerIds.at(-1);
    });
  }
  return enqueued;
}
