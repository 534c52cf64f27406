/** Restarts every workflow if the engine is a new one, or has lost its data. */
import type { Database } from '../../db/connection/database.ts';
import {
  allTenantIds,
  enqueueOpenDunnings,
  enqueueEnabledPlans,
  enqueueOpenOrders,
  enqueuePending,
  keepInstallation,
  lockOwners,
  readInstallation,
} from '../../db/queries/outbox/missing-workflows.ts';
import { readOpenMails } from '../../db/queries/mail/mails.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { enqueueEndpoints } from '../../db/queries/callbacks/endpoints.ts';
import { enqueue, idPrefixOf } from './enqueue.ts';
import { tenantInfo } from '../context/context.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { ObjectWorkflowKind } from '../context/kinds.ts';

const NAMESPACE_KEY = 'temporal_namespace_id';
const STARTS_PER_SECOND = 100;
/** A batch is one transaction, which locks its customers. */
const CUSTOMERS_AT_ONCE_MAX = 500;

interface OwnedRestart {
  readonly kind: Parameters<typeof lockOwners>[1];
  /** Enqueues the objects of some customers that need a workflow; returns their number. */
  readonly enqueueFor: (
    tx: Tx,
    options: {
      readonly customerIds: readonly number[];
      readonly idPrefix: string;
      /** The number enqueued of this kind for all tenants. */
      readonly soFar: number;
    },
  ) => Promise<number>;
}

/** Of objects that no customer owns. */
interface TenantRestart {
  readonly kind: ObjectWorkflowKind;
  readonly enqueueAll: (tx: Tx, idPrefix: string) => Promise<number>;
}

type Restart = OwnedRestart | TenantRestart;

/** Each kind with a workflow. Payments come first; orders start at a steady pace. */
export const restarts: readonly Restart[] = [
  { kind: 'payment', enqueueFor: enqueuePending },
  { kind: 'callbacks', enqueueAll: enqueueEndpoints },
  { kind: 'paymentPlan', enqueueFor: enqueueEnabledPlans },
  {
    kind: 'dunning',
    enqueueFor: (tx, { soFar, ...options }) =>
      enqueueOpenDunnings(tx, { ...options, perSecond: STARTS_PER_SECOND, after: soFar }),
  },
  {
    kind: 'order',
    enqueueFor: (tx, { soFar, ...options }) =>
      enqueueOpenOrders(tx, { ...options, perSecond: STARTS_PER_SECOND, after: soFar }),
  },
];

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
    // The clock's workflow ends by itself if there is nothing to do.
    const own = tenant.hasTestClock ? 'clock' : 'billing';
    await inTenant(dependencies.db, tenantId, async (tx) => {
      enqueue({ tx, tenant }, [{ kind: own, objectId: null }]);
      const { open } = await readOpenMails(tx);
      if (open > 0) enqueue({ tx, tenant }, [{ kind: 'mail', objectId: null }]);
    });
    for (const restart of restarts) {
      const before = enqueued.get(restart.kind) ?? 0;
      const more =
        'enqueueAll' in restart
          ? await ofTenant(dependencies, tenant, restart)
          : await byOwners(dependencies, tenant, restart, before);
      enqueued.set(restart.kind, before + more);
    }
  }
  await keepInstallation(pool, NAMESPACE_KEY, namespaceId);
  return [...enqueued.values()].reduce((sum, count) => sum + count, 0);
}

function ofTenant(
  { db }: Dependencies,
  tenant: TenantInfo,
  { kind, enqueueAll }: TenantRestart,
): Promise<number> {
  return inTenant(db, tenant.id, (tx) => enqueueAll(tx, idPrefixOf(tenant, kind)));
}

/** Enqueues for some customers at a time, and returns the number of rows. */
async function byOwners(
  dependencies: Dependencies,
  tenant: TenantInfo,
  { kind, enqueueFor }: OwnedRestart,
  before: number,
): Promise<number> {
  const idPrefix = idPrefixOf(tenant, kind);
  let enqueued = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const range = { after, limit: CUSTOMERS_AT_ONCE_MAX };
    after = await inTenant(dependencies.db, tenant.id, async (tx) => {
      const customerIds = await lockOwners(tx, kind, range);
      if (customerIds.length > 0) {
        enqueued += await enqueueFor(tx, { customerIds, idPrefix, soFar: before + enqueued });
      }
      return customerIds.at(-1);
    });
  }
  return enqueued;
}
