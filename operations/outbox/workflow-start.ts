/** The start options of a workflow, for a nudge or for a caller that waits. */
import type { SearchAttributePair } from '@temporalio/common';
import type { Delivery } from '../../db/queries/outbox/outbox.ts';
import type { PaymentPlanInput } from '../../workflows/contract-plans.ts';
import type { CascadeInput, SubscriptionInput, TenantInput } from '../../workflows/contract.ts';
import type { CallbacksInput } from '../../workflows/contract-callbacks.ts';
import type { DunningInput } from '../../workflows/contract-dunning.ts';
import {
  customerIdKey,
  customerRefKey,
  orderNumberKey,
  phaseKey,
  priorities,
  tenantIdKey,
  tenantKey,
  workflowTypes,
} from '../../workflows/contract.ts';
import { formatAmount } from '../../domain/money/money.ts';
import type { Engine } from './engine.ts';
import type { TenantInfo } from '../context/context.ts';
import type { WorkflowKind } from '../context/kinds.ts';
import { shownReference } from './shown-reference.ts';

/** A cascade without a gateway is final, so its workflow can find that out on any queue. */
const ANY_GATEWAY = 'sandbox';

export type Startable = Pick<
  Delivery,
  'workflow_id' | 'kind' | 'object_id' | 'order' | 'payment' | 'paymentPlan'
> &
  Partial<Pick<Delivery, 'dunning'>>;

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

type Input =
  | TenantInput
  | SubscriptionInput
  | CascadeInput
  | CallbacksInput
  | DunningInput
  | PaymentPlanInput;

function inputOf(
  tenant: Pick<TenantInfo, 'id'>,
  { kind, object_id, payment }: Startable,
  title: string,
): Input {
  const tenantId = String(tenant.id);
  if (kind === 'order') return { tenantId, orderId: String(object_id), title };
  if (kind === 'callbacks') return { tenantId, endpointId: String(object_id), title };
  if (kind === 'dunning') return { tenantId, customerId: String(object_id), title };
  if (kind === 'paymentPlan') return { tenantId, planId: String(object_id), title };
  if (kind !== 'payment') return { tenantId, title };
  const gateway = payment?.gateway ?? ANY_GATEWAY;
  const chain = { tenantId, paymentId: String(object_id), gateway, title };
  if (!payment) return chain;
  const customerRef = shownReference(payment.customerRef);
  return { ...chain, customer: { customerId: String(payment.customerId), customerRef } };
}

/** Contains numbers, codes and amounts only, because every user of the engine can read it. */
function titleOf({ label }: Pick<TenantInfo, 'label'>, row: Startable): string {
  return `${titles[row.kind](row)}, ${label}`;
}

export const titles: Readonly<Record<WorkflowKind, (row: Startable) => string>> = {
  billing: () => 'Billing run',
  clock: () => 'Test clock',
  callbacks: ({ object_id }) => `Callbacks to endpoint ${object_id}`,
  mail: () => 'Mails',
  payment: ({ payment, object_id }) => `${payment?.type ?? 'Payment'} ${object_id}${of(payment)}`,
  dunning: ({ object_id }) => `Dunning of customer ${object_id}`,
  paymentPlan: ({ object_id }) => `Payment plan ${object_id}`,
  order: ({ order, object_id }) =>
    order ? `Order ${order.orderNumber} ${order.contractCode}` : `Order with id ${object_id}`,
};

/** A refund is a negative payment, but it returns a positive amount. */
function of(payment: Startable['payment']): string {
  if (!payment) return '';
  const { currency, amount } = payment;
  return ` of ${formatAmount(currency, amount).replace('-', '')} ${currency}`;
}

function searchAttributesOf(
  tenant: Pick<TenantInfo, 'id' | 'label'>,
  { kind, order, payment, dunning, paymentPlan }: Startable,
): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [
    { key: tenantKey, value: tenant.label },
    { key: tenantIdKey, value: String(tenant.id) },
  ];
  const reference = shownReference(
    (order ?? payment ?? dunning ?? paymentPlan)?.customerRef ?? null,
  );
  if (reference !== null) pairs.push({ key: customerRefKey, value: reference });
  if (order) {
    pairs.push({ key: customerIdKey, value: String(order.customerId) });
    pairs.push({ key: orderNumberKey, value: String(order.orderNumber) });
  }
  const payer = payment ?? paymentPlan;
  if (payer) pairs.push({ key: customerIdKey, value: String(payer.customerId) });
  if (kind === 'callbacks') pairs.push({ key: phaseKey, value: 'Delivering' });
  if (dunning) pairs.push({ key: customerIdKey, value: String(dunning.customerId) });
  // Shows the first step, so that a payment without problems need not update it.
  if (kind === 'payment') pairs.push({ key: phaseKey, value: 'Charging' });
  if (kind === 'clock') pairs.push({ key: phaseKey, value: 'Advancing' });
  if (kind === 'mail') pairs.push({ key: phaseKey, value: 'Sending' });
  return pairs;
}
