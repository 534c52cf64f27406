/** Deletes rows of what is over when they were kept for long enough, a slice at a time. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { deleteOldest } from '../../db/queries/access/audit-log.ts';
import { allTenantIds } from '../../db/queries/outbox/missing-workflows.ts';
import { deleteDone, deleteOperatorLogins } from '../../db/queries/processes/retention.ts';
import {
  fixedKinds,
  retainedKinds,
  type DeletedKind,
  type FixedKind,
} from '../../domain/events/retention.ts';
import { tenantInfo, tenantTimeOf, type Dependencies } from '../context/context.ts';
import { KEPT_DAYS } from '../context/idempotency.ts';
import { startLoop, type Loop } from '../context/loop.ts';

/** In days of real time. A resend of an older event sends today's document. */
const fixedDays: Readonly<Record<FixedKind, number>> = {
  documents: 90,
  taxAnswers: 7,
  keptAnswers: KEPT_DAYS,
};
/** As long as the database keeps them whoever deletes. */
const OPERATOR_LOGINS_DAYS = 365;
const PASS_MS = 3_600_000;
/** The rows of one transaction: it is short, and locks nobody out for long. */
export const DELETED_AT_ONCE_MAX = 1_000;
/** What a tenant has beyond this is left to the next pass. */
export const SLICES_OF_TENANT_MAX = 100;
const DAY_MS = 24 * 3_600_000;

/** The audit log is a chain, whose oldest rows go first. */
type Deleted = DeletedKind | 'auditLog';

const deletedKinds: readonly Deleted[] = [...retainedKinds, ...fixedKinds, 'auditLog'];

export interface RetentionOptions {
  readonly dependencies: Dependencies;
  /** A connection with the role sundial_relay, which sees all tenants. */
  readonly relayDb: Database;
  readonly onError: (error: unknown) => void;
}

export function startRetention(options: RetentionOptions): Loop {
  return startLoop(async (signal) => {
    await retentionPass(options, signal).catch(options.onError);
    return PASS_MS;
  });
}

interface Backlog {
  readonly tenantId: number;
  readonly kind: Deleted;
}

/**
 * Each tenant has one slice of each kind before any has its second. A failure of one is reported,
 * and does not stop the others.
 */
export async function retentionPass(
  options: RetentionOptions,
  signal?: AbortSignal,
): Promise<void> {
  const tenantIds = await allTenantIds(options.relayDb.pool);
  let left = tenantIds.flatMap((tenantId): Backlog[] =>
    deletedKinds.map((kind) => ({ tenantId, kind })),
  );
  for (let round = 0; round < SLICES_OF_TENANT_MAX && left.length > 0; round += 1) {
    const more: Backlog[] = [];
    for (const backlog of left) {
      if (signal?.aborted) return;
      try {
        const deleted = await deleteSlice(options.dependencies, backlog);
        if (deleted === DELETED_AT_ONCE_MAX) more.push(backlog);
      } catch (error) {
        options.onError(error);
      }
    }
    left = more;
  }
  await deleteLogins(options, signal).catch(options.onError);
}

/** Those of the installation's operators, which are of no tenant. */
async function deleteLogins(
  { dependencies: { db } }: RetentionOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let slice = 0; slice < SLICES_OF_TENANT_MAX; slice += 1) {
    if (signal?.aborted) return;
    const limit = DELETED_AT_ONCE_MAX;
    if ((await deleteOperatorLogins(db, { days: OPERATOR_LOGINS_DAYS, limit })) < limit) return;
  }
}

function isFixed(kind: Deleted): kind is FixedKind {
  return kind in fixedDays;
}

async function deleteSlice(
  dependencies: Dependencies,
  { tenantId, kind }: Backlog,
): Promise<number> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const real = new Date(dependencies.realNow());
  if (kind === 'auditLog') {
    const days = tenant.retention.auditLog;
    if (days === null) return 0;
    const before = daysBefore(real, days);
    return inTenant(dependencies.db, tenantId, (tx) =>
      deleteOldest(tx, { before, limit: DELETED_AT_ONCE_MAX }),
    );
  }
  return inTenant(dependencies.db, tenantId, async (tx) => {
    // Those of the same time for all tenants bear real times.
    const days = isFixed(kind) ? fixedDays[kind] : tenant.retention[kind];
    const { now } = isFixed(kind)
      ? { now: real }
      : await tenantTimeOf(dependencies, tenant, tx, 'none');
    const before = daysBefore(now, days);
    return deleteDone(tx, kind, { before, limit: DELETED_AT_ONCE_MAX });
  });
}

const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * DAY_MS);
