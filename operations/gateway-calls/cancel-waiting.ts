/** Cancels a payment that waits for its payer, because a caller does not want it any more. */
import { DomainError } from '../../domain/errors.ts';
import {
  GatewayDifference,
  GatewayError,
  type GatewayAnswer,
  type Gateways,
} from '../../providers/gateway/gateway.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { askToEnd } from './ask.ts';
import type { Call } from './call.ts';
import { asSaid, recordAnswer, recordIn } from './record-answer.ts';
import { waitingCallOf } from './waiting.ts';

/** What the gateway says of a payment that waited for its payer, now that it has ended it. */
export interface EndedWaiting {
  readonly call: Call;
  readonly answer: GatewayAnswer;
}

/**
 * Ends a payment that waits for its payer at its gateway, outside any transaction; undefined for any
 * other. What is paid by then is Paid. Throws payment.notCancellable, or a GatewayError while
 * the gateway is silent.
 */
export async function endWaitingPayment(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  id: number,
): Promise<EndedWaiting | undefined> {
  const call = await waitingCallOf(dependencies, tenantId, id);
  if (call === undefined) return undefined;
  const answer = await askToEnd(gateways, tenantId, call);
  if (answer instanceof GatewayDifference || 'waits' in answer)
    throw new GatewayError('unavailable', 'silent');
  if (answer.outcome === 'declined') return { call, answer };
  const noted = asSaid(answer);
  const { payment } = await recordAnswer(dependencies, tenantId, call, noted, {
    isElsewhere: true,
  });
  const { status } = payment;
  const message = `the payer has confirmed the payment: it is ${status}`;
  throw new DomainError('payment.notCancellable', message, { value: status });
}

/** It charged nobody: no ledger entry, no event, and its invoice is not tried again. */
export async function cancelEnded(
  context: OperationContext,
  { call, answer }: EndedWaiting,
): Promise<void> {
  const noted = asSaid(answer);
  await recordIn(context, call, noted, { isElsewhere: true, endedFor: 'deleted' });
}
