/** Waits until a payment is final, within the caller's time limit. */
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import { awaitOutcome } from '../../workflows/contract/contract.ts';
import { awaitUpdate } from '../outbox/await-update.ts';
import type { Engine } from '../outbox/engine.ts';
import type { TenantInfo } from '../context/context.ts';
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
  await awaitUpdate(
    engine,
    tenant,
    { kind: 'payment', objectId: cascadeId, facts: payment, update: awaitOutcome, args: [] },
    limitMs,
  );
}
