/** Checks that every order and payment that needs a workflow has a running one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, WorkflowClient } from '@temporalio/client';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { tenantIdKey } from '../../workflows/contract/contract.ts';
import { idPrefixOf } from '../outbox/enqueue.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { workflowTypeOf, type ObjectWorkflowKind } from '../context/kinds.ts';
import { objectWorkflowKinds, objectWorkflows } from '../workflow-kinds/table.ts';
import type { Fault } from './report.ts';

/** The engine's list lags behind, so a workflow counts as missing only if every look misses it. */
const CONFIRMATIONS = 2;
const CONFIRM_AFTER_MS = 2_000;
const CONNECT_LIMIT_MS = 5_000;
const LIST_LIMIT_MS = 60_000;

export interface EngineAddress {
  readonly address: string;
  readonly namespace: string;
}

export interface WorkflowFinder {
  /** The ids of the tenant's running workflows of a kind. */
  readonly running: (
    tenant: TenantInfo,
    kind: WorkflowObject['kind'],
  ) => Promise<ReadonlySet<string>>;
  readonly close: () => Promise<void>;
}

/** Throws if the engine does not answer. */
export async function findWorkflows(engine: EngineAddress): Promise<WorkflowFinder> {
  const { address, namespace } = engine;
  const connection = await Connection.connect({ address, connectTimeout: CONNECT_LIMIT_MS });
  const client = new WorkflowClient({ connection, namespace });
  return {
    running: (tenant, kind) =>
      client.withDeadline(Date.now() + LIST_LIMIT_MS, async () => {
        const ids = new Set<string>();
        const query =
          `WorkflowType = '${workflowTypeOf(kind)}' and ExecutionStatus = 'Running' ` +
          `and ${tenantIdKey.name} = '${tenant.id}'`;
        for await (const execution of client.list({ query, pageSize: 1_000 })) {
          ids.add(execution.workflowId);
        }
        return ids;
      }),
    close: () => connection.close(),
  };
}

/** Finds objects with neither a workflow nor an undelivered outbox row that would start one. */
export async function auditWorkflows(
  dependencies: Dependencies,
  tenant: TenantInfo,
  finder: WorkflowFinder,
): Promise<Fault[]> {
  let suspects = await withoutWorkflow(dependencies, tenant, finder);
  for (let look = 0; look < CONFIRMATIONS && suspects.size > 0; look += 1) {
    await sleep(CONFIRM_AFTER_MS);
    const still = await withoutWorkflow(dependencies, tenant, finder);
    suspects = new Map([...suspects].filter(([id]) => still.has(id)));
  }
  return [...suspects.values()].map(({ kind, number, status }) => ({
    check: `${kind}.workflow`,
    object: `${kind} ${number}`,
    detail: `is ${status}, but it has no running workflow, and no outbox row would start one`,
  }));
}

/** An order, the cascade of a payment, or another object that needs a workflow. */
interface WorkflowObject {
  readonly kind: ObjectWorkflowKind;
  readonly id: number;
  /** Its number, as people know it. */
  readonly number: number;
  readonly status: string;
}

async function withoutWorkflow(
  dependencies: Dependencies,
  tenant: TenantInfo,
  finder: WorkflowFinder,
): Promise<ReadonlyMap<number, WorkflowObject>> {
  const read = { readOnly: true };
  // Read the rows first, so that workflows started meanwhile are in the list.
  const objects = await inTenant(
    dependencies.db,
    tenant.id,
    (tx) => Promise.all(objectWorkflowKinds.map((kind) => withoutStart(tx, tenant, kind))),
    read,
  );
  const missing: WorkflowObject[] = [];
  for (const [kind, rows] of Map.groupBy(objects.flat(), ({ kind }) => kind)) {
    const running = await finder.running(tenant, kind);
    const prefix = idPrefixOf(tenant, kind);
    missing.push(...rows.filter(({ id }) => !running.has(`${prefix}${id}`)));
  }
  return new Map(missing.map((each) => [each.id, each]));
}

/** The objects of a kind that need a workflow now and have no outbox row that would start one. */
function withoutStart(
  tx: Tx,
  tenant: TenantInfo,
  kind: ObjectWorkflowKind,
): Promise<WorkflowObject[]> {
  return tx.query<WorkflowObject & Record<string, unknown>>(
    `select $3 as kind, n.id, n.number, n.status from (${objectWorkflows[kind].needed}) n
     where not exists (select from outbox x
       where x.tenant_id = $1 and x.workflow_id = $2::text || n.id)
     order by n.number`,
    [tx.tenantId, idPrefixOf(tenant, kind), kind],
    `audit-${kind}-workflows`,
  );
}
