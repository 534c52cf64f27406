/** Delivers nudges to the workflow engine: each wakes its workflow, or starts it. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  deleteDelivered,
  postponeFailed,
  type FailedDelivery,
} from '../../db/queries/outbox/outbox.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { nudge } from '../../workflows/contract/contract.ts';
import { readDeliveries, readObjectDeliveries, type Delivery } from './deliveries.ts';
import { engineFaultOf, grpcCodes } from '../../providers/temporal/connect.ts';
import type { Engine } from './engine.ts';
import { idPrefixOf, workflowIdOf } from './enqueue.ts';
import { tenantInfo, type Dependencies, type TenantInfo } from '../context/context.ts';
import { isTenantWorkflow, type ObjectWorkflowKind } from '../context/kinds.ts';
import { allDone, inLanes } from '../context/lanes.ts';
import type { Nudge } from '../context/nudge.ts';
import type { Origin } from '../context/origin.ts';
import { since } from '../context/work-log.ts';
import { wakePace } from './wake-pace.ts';
import { startOf } from './workflow-start.ts';

/** The most simultaneous nudges of one call. */
const SIGNALS_AT_ONCE_MAX = 16;
const SIGNAL_DEADLINE_MS = 2_000;
const UNREACHABLE_RETRY_SECONDS = 1;
const BUSY_PAUSE_MS = 100;
/** The most workflows that a log line names. */
const NAMED_MAX = 5;
const busyGrpcCodes = new Set<number>([grpcCodes.resourceExhausted, grpcCodes.aborted]);
/** Nothing is wrong with the nudge itself. */
const transientGrpcCodes = new Set<number>([
  grpcCodes.unavailable,
  grpcCodes.deadlineExceeded,
  grpcCodes.cancelled,
]);

export interface DeliveryResult {
  readonly delivered: number;
  readonly failed: number;
  /** The engine did not answer, so trying further nudges is useless now. */
  readonly unreachable: boolean;
}

/** What has begun each nudge, by its workflow, if it is known. */
export type Origins = ReadonlyMap<string, Origin | undefined>;

/** Delivers the outbox rows that still exist, and deletes each delivered version. */
export async function deliver(
  dependencies: Dependencies,
  engine: Engine,
  tenantId: number,
  workflowIds: readonly string[],
  origins: Origins = new Map(),
): Promise<DeliveryResult> {
  const began = performance.now();
  const tenant = await tenantInfo(dependencies, tenantId);
  const rows = await readRows(dependencies, engine, tenant, (tx) =>
    readDeliveries(tx, workflowIds),
  );
  const { delivered, failed, unreachable } = await signalAll(engine, tenant, rows, origins);
  await inTenant(
    dependencies.db,
    tenantId,
    async (tx) => {
      if (delivered.length > 0) deleteDelivered(tx, delivered);
      if (failed.length > 0) postponeFailed(tx, failed);
    },
    // A row that is there again after a crash of PostgreSQL is delivered again, which does no harm.
    { isForgettable: true },
  );
  const milliseconds = since(began);
  logDeliveries(dependencies, tenant.label, { delivered, failed, milliseconds, origins });
  return { delivered: delivered.length, failed: failed.length, unreachable };
}

/** The rows, with the first looks at their objects. */
async function readRows(
  dependencies: Dependencies,
  { firstLookAt }: Engine,
  tenant: TenantInfo,
  plain: (tx: Tx) => Promise<readonly Delivery[]>,
): Promise<readonly Delivery[]> {
  const read = <Rows>(work: (tx: Tx) => Promise<Rows>) =>
    inTenant(dependencies.db, tenant.id, work, { readOnly: true });
  if (!firstLookAt || tenant.hasTestClock) return read(plain);
  const beginning = { tenant, pace: await wakePace(dependencies, tenant.id) };
  try {
    return await read(async (tx) => {
      const rows = await plain(tx);
      // Looks at the same time share packets; none goes on once the transaction has ended.
      return await allDone(
        rows.map(async (row) => ({
          ...row,
          first: await firstLookAt(dependencies, tx, beginning, row),
        })),
      );
    });
  } catch {
    // One object that cannot be read delays no other; its workflow will show the error.
    return read(plain);
  }
}

interface Deliveries {
  readonly delivered: readonly Delivery[];
  readonly failed: readonly FailedDelivery[];
  readonly milliseconds: number;
  readonly origins: Origins;
}

/** Logs one line for the delivered nudges, and one for those that are retried. */
function logDeliveries(
  { onWork }: Dependencies,
  tenant: string,
  { delivered, failed, milliseconds, origins }: Deliveries,
): void {
  if (delivered.length > 0) {
    const workflows = delivered.slice(0, NAMED_MAX).map((row) => row.workflowId);
    const ids = new Set(workflows.flatMap((id) => origins.get(id)?.requestId ?? []));
    const requests = ids.size === 0 ? undefined : [...ids];
    const counts = { delivered: delivered.length, workflows, requests };
    onWork?.({ work: 'delivery', tenant, ...counts, milliseconds });
  }
  const [first] = failed;
  if (first) {
    const { workflowId, error } = first;
    const count = failed.length;
    onWork?.({
      work: 'retry',
      of: 'delivery',
      tenant,
      failed: count,
      workflowId,
      error,
      milliseconds,
    });
  }
}

/** Nudges objects without a row in the outbox; throws if the engine refuses one of them. */
export async function nudgeObjects(
  dependencies: Dependencies,
  engine: Engine,
  tenant: TenantInfo,
  kind: ObjectWorkflowKind,
  objectIds: readonly number[],
): Promise<void> {
  const nudged = { kind, objectIds, idPrefix: idPrefixOf(tenant, kind) };
  const rows = await inTenant(
    dependencies.db,
    tenant.id,
    (tx) => readObjectDeliveries(tx, nudged),
    { readOnly: true },
  );
  const [failure] = (await signalAll(engine, tenant, rows)).failed;
  if (failure) throw new Error(`${failure.workflowId} was not nudged: ${failure.error}`);
}

/** A workflow that is to be started again; null if it is only to look at its rows. */
export interface Restart extends Nudge {
  readonly note: string | null;
}

/**
 * Starts workflows without rows in the outbox, as deliveries do, and nudges those that run. Returns
 * the ids of those that the engine did not take.
 */
export async function startAgain(
  dependencies: Dependencies,
  engine: Engine,
  tenant: TenantInfo,
  restarts: readonly Restart[],
): Promise<ReadonlySet<string>> {
  const notes = new Map(restarts.map((each) => [workflowIdOf(tenant, each), each.note]));
  const rows = await readRows(dependencies, engine, tenant, async (tx) => {
    const found: Delivery[] = [];
    for (const [kind, own] of Map.groupBy(restarts, (each) => each.kind)) {
      if (isTenantWorkflow(kind)) {
        const workflowId = workflowIdOf(tenant, { kind, objectId: null });
        found.push({ kind, objectId: null, workflowId, version: null, facts: null });
        continue;
      }
      const objectIds = own.flatMap(({ objectId }) => objectId ?? []);
      const idPrefix = idPrefixOf(tenant, kind);
      found.push(...(await readObjectDeliveries(tx, { kind, objectIds, idPrefix })));
    }
    return found;
  });
  const noted = rows.map((row) => ({ ...row, note: notes.get(row.workflowId) ?? undefined }));
  const { failed } = await signalAll(engine, tenant, noted);
  return new Set(failed.map(({ workflowId }) => workflowId));
}

async function signalAll(
  engine: Engine,
  tenant: TenantInfo,
  rows: readonly Delivery[],
  origins: Origins = new Map(),
) {
  const delivered: Delivery[] = [];
  const failed: FailedDelivery[] = [];
  let unreachable = false;
  async function deliverOne(row: Delivery): Promise<void> {
    const error = unreachable
      ? 'not tried: no answer'
      : await signalFrom(origins.get(row.workflowId), engine, tenant, row);
    if (error === null) {
      delivered.push(row);
      return;
    }
    unreachable ||= isTransient(error);
    const retryInSeconds = unreachable ? UNREACHABLE_RETRY_SECONDS : null;
    failed.push({ workflowId: row.workflowId, error: textOf(error), retryInSeconds });
  }
  await inLanes(rows, deliverOne, { lanes: SIGNALS_AT_ONCE_MAX });
  return { delivered, failed, unreachable };
}

/** As a part of the trace of the request that nudged the workflow, if there are traces. */
function signalFrom(
  origin: Origin | undefined,
  engine: Engine,
  tenant: TenantInfo,
  row: Delivery,
): Promise<unknown> {
  if (origin === undefined) return signal(engine, tenant, row);
  const begin = () => signal(engine, tenant, { ...row, requestId: origin.requestId });
  return origin.within === undefined ? begin() : origin.within(begin);
}

/** Returns the error, or null. */
async function signal(engine: Engine, tenant: TenantInfo, row: Delivery): Promise<unknown> {
  const { type, options } = startOf(engine, tenant, row);
  const deadline = Date.now() + SIGNAL_DEADLINE_MS;
  for (;;) {
    try {
      await engine.client.withDeadline(deadline, () =>
        engine.client.signalWithStart(type, { ...options, signal: nudge }),
      );
      return null;
    } catch (error) {
      if (!isBusy(error) || Date.now() + BUSY_PAUSE_MS > deadline) return error ?? 'unknown';
    }
    await sleep(BUSY_PAUSE_MS);
  }
}

/** Whether the workflow is ending or continuing as new, or the engine is overloaded. */
function isBusy(error: unknown): boolean {
  return busyGrpcCodes.has(engineFaultOf(error)?.code ?? 0);
}

function isTransient(error: unknown): boolean {
  return transientGrpcCodes.has(engineFaultOf(error)?.code ?? 0);
}

const ERROR_TEXT_MAX = 200;

function textOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const text = engineFaultOf(error)?.text ?? message;
  return text.slice(0, ERROR_TEXT_MAX);
}
