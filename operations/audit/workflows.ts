/** Looks for the running workflow of every order that needs one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, WorkflowClient } from '@temporalio/client';
import { inTenant } from '../../db/tenancy.ts';
import type { Tx } from '../../db/tenancy.ts';
import { tenantIdKey, workflowTypes } from '../../workflows/contract.ts';
import { workflowIdOf } from '../outbox.ts';
import type { Services, TenantInfo } from '../services.ts';
import type { Fault } from './report.ts';

/** What the engine lists lags behind what runs: an order is at fault when missed each time. */
const confirmations = 2;
const confirmAfterMs = 2_000;
const connectLimitMs = 5_000;
const listLimitMs = 60_000;

export interface EngineAddress {
  readonly address: string;
  readonly namespace: string;
}

export interface WorkflowFinder {
  /** The ids of the tenant's running subscription workflows. */
  readonly running: (tenant: TenantInfo) => Promise<ReadonlySet<string>>;
  readonly close: () => Promise<void>;
}

/** Throws when the engine does not answer. */
export async function findWorkflows(engine: EngineAddress): Promise<WorkflowFinder> {
  const { address, namespace } = engine;
  const connection = await Connection.connect({ address, connectTimeout: connectLimitMs });
  const client = new WorkflowClient({ connection, namespace });
  return {
    running: (tenant) =>
      client.withDeadline(Date.now() + listLimitMs, async () => {
        const ids = new Set<string>();
        const query =
          `WorkflowType = '${workflowTypes.order}' and ExecutionStatus = 'Running' ` +
          `and ${tenantIdKey.name} = '${tenant.id}'`;
        for await (const execution of client.list({ query, pageSize: 1_000 })) {
          ids.add(execution.workflowId);
        }
        return ids;
      }),
    close: () => connection.close(),
  };
}

/** Orders without a workflow, and without an undelivered outbox row that would start it. */
export async function auditWorkflows(
  services: Services,
  tenant: TenantInfo,
  finder: WorkflowFinder,
): Promise<Fault[]> {
  let suspects = await withoutWorkflow(services, tenant, finder);
  for (let look = 0; look < confirmations && suspects.size > 0; look += 1) {
    await sleep(confirmAfterMs);
    const still = await withoutWorkflow(services, tenant, finder);
    suspects = new Map([...suspects].filter(([id]) => still.has(id)));
  }
  return [...suspects.values()].map(({ number, status }) => ({
    check: 'order.workflow',
    object: `order ${number}`,
    detail: `is ${status}, but no workflow carries it and none is about to be started`,
  }));
}

interface OpenOrder {
  readonly id: number;
  readonly number: number;
  readonly status: string;
}

async function withoutWorkflow(
  services: Services,
  tenant: TenantInfo,
  finder: WorkflowFinder,
): Promise<ReadonlyMap<number, OpenOrder>> {
  // The rows first: an order that is made meanwhile is not missed among the workflows.
  const open = await inTenant(services.db, tenant.id, (tx) => openOrders(tx, tenant), {
    readOnly: true,
  });
  if (open.length === 0) return new Map();
  const running = await finder.running(tenant);
  const isCarried = ({ id }: OpenOrder) =>
    running.has(workflowIdOf(tenant, { kind: 'order', objectId: id }));
  return new Map(open.filter((order) => !isCarried(order)).map((order) => [order.id, order]));
}

function openOrders(tx: Tx, tenant: TenantInfo): Promise<OpenOrder[]> {
  const prefix = workflowIdOf(tenant, { kind: 'order', objectId: 0 }).slice(0, -1);
  return tx.query<OpenOrder>(
    `select o.id, o.order_number as number, o.status from subscription_order o
     where o.tenant_id = $1
       and (o.status in ('Active', 'Provisioning', 'Suspended') or o.next_action_on is not null)
       and not exists (select from outbox x
         where x.tenant_id = o.tenant_id and x.workflow_id = $2 || o.id)
     order by o.order_number`,
    [tx.tenantId, prefix],
    'audit-open-orders',
  );
}
