/** Waits until a payment is final, within the caller's time limit. */
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import { awaitOutcome } from '../../workflows/contract.ts';
import type { Engine } from '../outbox/engine.ts';
import { workflowIdOf } from '../outbox/enqueue.ts';
import type { TenantInfo } from '../context/context.ts';
import { startOf } from '../outbox/workflow-start.ts';
import type { PaymentFacts } from '../workflow-kinds/payment.ts';

export interface AwaitedPayment extends PaymentFacts {
  /** The first payment of the cascade. */
  readonly cascadeId: number;
  readonly gateway: GatewayName;
}

/**
 * Starts the payment's workflow if it does not run yet, and returns when the payment is final, on
 * an error, or when the time is up; the payment's row shows its state. If the workflow was not
 * started here, the outbox row starts it.
 */
export async function awaitPayment(
  engine: Engine,
  tenant: Pick<TenantInfo, 'id' | 'label'>,
  { cascadeId, ...payment }: AwaitedPayment,
  limitMs: number,
): Promise<void> {
  if (limitMs <= 0) return;
  const { type, options } = startOf(engine, tenant, {
    workflow_id: workflowIdOf(tenant, { kind: 'payment', objectId: cascadeId }),
    kind: 'payment',
    object_id: cascadeId,
    facts: payment,
  });
  const startWorkflowOperation = new WithStartWorkflowOperation(type, {
    ...options,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  const { client } = engine;
  try {
    await client.withDeadline(Date.now() + limitMs, () =>
      client.executeUpdateWithStart(awaitOutcome, { startWorkflowOperation }),
    );
  } catch {
    // The engine is down or slow, or the workflow was just ending.
  }
}
