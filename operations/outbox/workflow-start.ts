/** The start options of a workflow, for a nudge or for a caller that waits. */
import type { SearchAttributePair } from '@temporalio/common';
import type { Delivery } from '../../db/queries/outbox/outbox.ts';
import type { CascadeInput, SubscriptionInput, TenantInput } from '../../workflows/contract.ts';
import {
  customerIdKey,
  orderNumberKey,
  phaseKey,
  priorities,
  tenantIdKey,
  workflowTypes,
} from '../../workflows/contract.ts';
import type { Engine } from './engine.ts';
import type { TenantInfo } from '../context/context.ts';
import type { WorkflowKind } from '../context/kinds.ts';

/** A cascade without a gateway is final, so its workflow can find that out on any queue. */
const ANY_GATEWAY = 'sandbox';

export type Startable = Pick<Delivery, 'workflow_id' | 'kind' | 'object_id' | 'order' | 'payment'>;

export function startOf(engine: Engine, tenant: Pick<TenantInfo, 'id' | 'label'>, row: Startable) {
  const title = titleOf(tenant, row);
  return {
    type: workflowTypes[row.kind],
    options: {
      workflowId: row.workflow_id,
      taskQueue: engine.taskQueue,
      args: [inputOf(tenant, row, title)] as [TenantInput],
      staticSummary: title,
      typedSearchAttributes: searchAttributesOf(tenant, row),
      priority: { priorityKey: priorities[row.kind], fairnessKey: tenant.label },
    },
  };
}

type Input = TenantInput | SubscriptionInput | CascadeInput;

function inputOf(
  tenant: Pick<TenantInfo, 'id'>,
  { kind, object_id, payment }: Startable,
  title: string,
): Input {
  const tenantId = String(tenant.id);
  if (kind === 'order') return { tenantId, orderId: String(object_id), title };
  if (kind !== 'payment') return { tenantId };
  const gateway = payment?.gateway ?? ANY_GATEWAY;
  return { tenantId, paymentId: String(object_id), gateway, title };
}

/** Contains numbers and codes only, because every user of the engine can read it. */
function titleOf({ label }: Pick<TenantInfo, 'label'>, row: Startable): string {
  return `${titles[row.kind](row)}, ${label}`;
}

export const titles: Readonly<Record<WorkflowKind, (row: Startable) => string>> = {
  billing: () => 'Billing run',
  clock: () => 'Test clock',
  payment: ({ payment, object_id }) => `${payment?.type ?? 'Payment'} ${object_id}`,
  order: ({ order, object_id }) =>
    order ? `Order ${order.orderNumber} ${order.contractCode}` : `Order with id ${object_id}`,
};

function searchAttributesOf(
  tenant: Pick<TenantInfo, 'id'>,
  { kind, order, payment }: Startable,
): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [{ key: tenantIdKey, value: String(tenant.id) }];
  if (order) {
    pairs.push({ key: customerIdKey, value: String(order.customerId) });
    pairs.push({ key: orderNumberKey, value: String(order.orderNumber) });
  }
  if (payment) pairs.push({ key: customerIdKey, value: String(payment.customerId) });
  // Shows the first step, so that a payment without problems need not update it.
  if (kind === 'payment') pairs.push({ key: phaseKey, value: 'Charging' });
  return pairs;
}
