/** Waits until a try of a sign-up is final, within the caller's time limit. */
import { WithStartWorkflowOperation } from '@temporalio/client';
import { submitSignup } from '../../workflows/contract-signups.ts';
import type { TenantInfo } from '../context/context.ts';
import type { Engine } from '../outbox/engine.ts';
import { workflowIdOf } from '../outbox/enqueue.ts';
import { startOf } from '../outbox/workflow-start.ts';

export interface AwaitedTry {
  readonly signupId: number;
  readonly tryId: number;
}

/**
 * Starts the signup's workflow if it does not run, and returns when the try is final, on an error, or
 * when the time is up; the rows show what is so. The outbox row of the try nudges in any case.
 */
export async function awaitSignup(
  engine: Engine,
  tenant: Pick<TenantInfo, 'id' | 'label'>,
  { signupId, tryId }: AwaitedTry,
  limitMs: number,
): Promise<void> {
  if (limitMs <= 0) return;
  const { type, options } = startOf(engine, tenant, {
    workflow_id: workflowIdOf(tenant, { kind: 'signup', objectId: signupId }),
    kind: 'signup',
    object_id: signupId,
    facts: null,
  });
  const startWorkflowOperation = new WithStartWorkflowOperation(type, {
    ...options,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  const { client } = engine;
  try {
    await client.withDeadline(Date.now() + limitMs, () =>
      client.executeUpdateWithStart(submitSignup, {
        startWorkflowOperation,
        args: [{ tryId: String(tryId) }],
      }),
    );
  } catch {
    // The engine is down or slow, or the workflow was just ending.
  }
}
