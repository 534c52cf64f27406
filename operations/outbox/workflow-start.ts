/** The start options of a workflow, for a nudge or for a caller that waits. */
import type { SearchAttributePair } from '@temporalio/common';
import {
  type TenantInput,
  REQUEST_MEMO,
  RESTARTED_MEMO,
  customerIdKey,
  customerRefKey,
  phaseKey,
  tenantIdKey,
  tenantKey,
} from '../../workflows/contract/contract.ts';
import type { TenantInfo } from '../context/context.ts';
import { isTenantWorkflow, workflowTypeOf } from '../context/kinds.ts';
import type { ObjectStart } from '../workflow-kinds/description.ts';
import { shownReference } from '../workflow-kinds/shown-reference.ts';
import { objectWorkflows, tenantWorkflows } from '../workflow-kinds/table.ts';
import type { Delivery } from './deliveries.ts';
import type { Engine } from './engine.ts';

export type Startable = Omit<Delivery, 'version'>;

export function startOf(engine: Engine, tenant: Pick<TenantInfo, 'id' | 'label'>, row: Startable) {
  const { kind, facts, first = null, note, requestId } = row;
  const { priority, phase } = isTenantWorkflow(kind)
    ? tenantWorkflows[kind]
    : objectWorkflows[kind];
  const own = ownStart(row);
  const title = `${own.title}, ${tenant.label}`;
  const attributes: SearchAttributePair[] = [
    { key: tenantKey, value: tenant.label },
    { key: tenantIdKey, value: String(tenant.id) },
    ...own.attributes,
  ];
  const reference = shownReference(facts?.customerRef ?? null);
  if (reference !== null) attributes.push({ key: customerRefKey, value: reference });
  const customerId = facts?.customerId ?? null;
  if (customerId !== null) attributes.push({ key: customerIdKey, value: String(customerId) });
  if (phase !== undefined) attributes.push({ key: phaseKey, value: phase });
  if (first !== null) attributes.push(...first.attributes);
  return {
    type: workflowTypeOf(kind),
    options: {
      workflowId: row.workflowId,
      taskQueue: engine.taskQueue,
      args: [{ tenantId: String(tenant.id), ...own.input, title, ...first?.input }] as [
        TenantInput,
      ],
      staticSummary: title,
      // A nudge of a workflow that runs, or whose start waits, changes none of this, and wakes it.
      ...(first !== null && {
        startDelay: first.delayMs,
        staticDetails: note === undefined ? first.details : `${note}\n\n${first.details}`,
      }),
      memo: {
        ...(note !== undefined && { [RESTARTED_MEMO]: note }),
        ...(requestId !== undefined && { [REQUEST_MEMO]: requestId }),
      },
      typedSearchAttributes: attributes,
      priority: { priorityKey: priority, fairnessKey: tenant.label },
    },
  };
}

function ownStart({ kind, objectId: id, facts, workflowId }: Startable): ObjectStart {
  if (isTenantWorkflow(kind)) {
    return { title: tenantWorkflows[kind].title, input: {}, attributes: [] };
  }
  if (id === null) throw new Error(`${workflowId} is of an object without an id`);
  return objectWorkflows[kind].startOf(id, facts);
}
