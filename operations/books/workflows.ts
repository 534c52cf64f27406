/** Checks that every order and payment that needs a workflow has a running one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, WorkflowClient } from '@temporalio/client';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { hasSomething } from '../../db/queries/callbacks/endpoints.ts';
import { paysItself } from '../../db/queries/payments/pays-itself.ts';
import { tenantIdKey, workflowTypes } from '../../workflows/contract.ts';
import { idPrefixOf } from '../outbox/enqueue.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import type { ObjectWorkflowKind } from '../context/kinds.ts';
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
          `WorkflowType = '${workflowTypes[kind]}' and ExecutionStatus = 'Running' ` +
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

/** An order, the cascade of a payment, or a payment plan. */
interface WorkflowObject {
  readonly kind: ObjectWorkflowKind;
  readonly id: number;
  /** Its number, as people know it. */
  readonly number: number;
  readonly status: string;
}

type ReadObjects = (tx: Tx, tenant: TenantInfo) => Promise<WorkflowObject[]>;

/**
 * The objects of each kind that need a workflow now and have no outbox row that would start one.
 */
export const objectsNeedingWorkflows: Readonly<Record<ObjectWorkflowKind, ReadObjects>> = {
  order: openOrders,
  payment: pendingPayments,
  callbacks: owingEndpoints,
  dunning: openDunnings,
  paymentPlan: enabledPlans,
};

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
    (tx) => Promise.all(Object.values(objectsNeedingWorkflows).map((read) => read(tx, tenant))),
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

function openOrders(tx: Tx, tenant: TenantInfo): Promise<WorkflowObject[]> {
  return tx.query<WorkflowObject & Record<string, unknown>>(
    `select 'order' as kind, o.id, o.order_number as number, o.status from subscription_order o
     where o.tenant_id = $1
       and (o.status in ('Active', 'Provisioning', 'Suspended') or o.next_action_on is not null
         or o.id in (select i.autopay_order_id from invoice i
                     where i.tenant_id = $1 and ${paysItself('i')}))
       and not exists (select from outbox x
         where x.tenant_id = o.tenant_id and x.workflow_id = $2 || o.id)
     order by o.order_number`,
    [tx.tenantId, idPrefixOf(tenant, 'order')],
    'audit-open-orders',
  );
}

function openDunnings(tx: Tx, tenant: TenantInfo): Promise<WorkflowObject[]> {
  return tx.query<WorkflowObject & Record<string, unknown>>(
    `select 'dunning' as kind, d.customer_id as id, d.customer_id as number, c.status
     from dunning d
     join customer c on c.tenant_id = d.tenant_id and c.id = d.customer_id
     where d.tenant_id = $1 and d.closed_on is null
       and not exists (select from outbox x
         where x.tenant_id = d.tenant_id and x.workflow_id = $2 || d.customer_id)
     order by d.customer_id`,
    [tx.tenantId, idPrefixOf(tenant, 'dunning')],
    'audit-open-dunnings',
  );
}

/** Pending payments by cascade: one workflow processes all attempts. */
function pendingPayments(tx: Tx, tenant: TenantInfo): Promise<WorkflowObject[]> {
  return tx.query<WorkflowObject & Record<string, unknown>>(
    `select distinct 'payment' as kind, p.cascade_id as id, p.cascade_id as number, p.status
     from payment p
     where p.tenant_id = $1 and p.status = 'Pending'
       and not exists (select from outbox x
         where x.tenant_id = p.tenant_id and x.workflow_id = $2 || p.cascade_id)
     order by p.cascade_id`,
    [tx.tenantId, idPrefixOf(tenant, 'payment')],
    'audit-pending-payments',
  );
}

/** Endpoints with something to send, or to have sent again. */
function owingEndpoints(tx: Tx, tenant: TenantInfo): Promise<WorkflowObject[]> {
  return tx.query<WorkflowObject & Record<string, unknown>>(
    `select 'callbacks' as kind, e.id, e.id as number,
            case when e.is_on then 'on' else 'off' end as status
     from callback_endpoint e
     where e.tenant_id = $1 and ${hasSomething}
       and not exists (select from outbox x
         where x.tenant_id = e.tenant_id and x.workflow_id = $2 || e.id)
     order by e.id`,
    [tx.tenantId, idPrefixOf(tenant, 'callbacks')],
    'audit-owing-endpoints',
  );
}

function enabledPlans(tx: Tx, tenant: TenantInfo): Promise<WorkflowObject[]> {
  return tx.query<WorkflowObject & Record<string, unknown>>(
    `select 'paymentPlan' as kind, p.id, p.id as number, 'enabled' as status from payment_plan p
     where p.tenant_id = $1 and p.is_enabled
       and not exists (select from outbox x
         where x.tenant_id = p.tenant_id and x.workflow_id = $2 || p.id)
     order by p.id`,
    [tx.tenantId, idPrefixOf(tenant, 'paymentPlan')],
    'audit-enabled-plans',
  );
}
