/** Waits for an Update of a workflow, which starts with it if it does not run yet. */
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import type { TenantInfo } from '../context/context.ts';
import type { ObjectWorkflowKind } from '../context/kinds.ts';
import type { CustomerFacts } from '../workflow-kinds/description.ts';
import type { Engine } from './engine.ts';
import { workflowIdOf } from './enqueue.ts';
import { startOf } from './workflow-start.ts';

export interface AwaitedUpdate<Args extends unknown[]> {
  readonly kind: ObjectWorkflowKind;
  readonly objectId: number;
  readonly facts: CustomerFacts | null;
  readonly update: UpdateDefinition<unknown, Args>;
  readonly args: Args;
}

/** Returns when the Update has completed, on an error, or when the time is up; never fails. */
export async function awaitUpdate<Args extends unknown[]>(
  engine: Engine,
  tenant: Pick<TenantInfo, 'id' | 'label'>,
  { kind, objectId, facts, update, args }: AwaitedUpdate<Args>,
  limitMs: number,
): Promise<void> {
  if (limitMs <= 0) return;
  const { type, options } = startOf(engine, tenant, {
    workflowId: workflowIdOf(tenant, { kind, objectId }),
    kind,
    objectId,
    facts,
  });
  const startWorkflowOperation = new WithStartWorkflowOperation(type, {
    ...options,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  const { client } = engine;
  try {
    await client.withDeadline(Date.now() + limitMs, () =>
      client.executeUpdateWithStart(update, { startWorkflowOperation, args }),
    );
  } catch {
    // The engine is down or slow, or the workflow was just ending.
  }
}
