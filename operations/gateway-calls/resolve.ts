/** Resolves by hand a call of which the gateway will never say how it ended. */
import { DomainError } from '../../domain/errors.ts';
import { mayResolve } from '../../domain/payments/resolution.ts';
import type { FinalAnswer, Gateways } from '../../providers/gateway/gateway.ts';
import type { PaymentProgress } from '../../workflows/contract/contract.ts';
import type { Dependencies } from '../context/context.ts';
import { answerBefore, keepAnswer } from '../context/update-answers.ts';
import { ask, isLost } from './ask.ts';
import type { PendingPayment } from './cascade.ts';
import { progressOf, whatCame, type AdvanceHooks } from './process.ts';
import { recordAnswer } from './record-answer.ts';
import { interruptedCall } from './reserve.ts';
import { logPayment } from './log-payment.ts';

/** The resolution, by hand, of a call that the gateway never answers. */
export interface Resolution {
  readonly cascadeId: number;
  readonly outcome: 'approved' | 'declined';
  readonly reason: string;
  /** The gateway's id, which a refund of the approved charge needs. */
  readonly transactionId?: string | undefined;
  /** @see UpdateRequest */
  readonly requestId: string;
}

/**
 * Concludes the call in progress as if the gateway had answered. The gateway is asked about it
 * afterwards (resolved.ts). Throws update.refused without such a call, or payment.processing.
 */
export async function resolvePayment(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  { cascadeId, outcome, reason, transactionId, requestId }: Resolution,
  { dispatch }: Pick<AdvanceHooks, 'dispatch'>,
): Promise<PaymentProgress> {
  const began = performance.now();
  const left = await interruptedCall(dependencies, tenantId, cascadeId);
  const request = { kind: 'payment', objectId: cascadeId, requestId } as const;
  // After the call was read: whoever resolved that call for this request has answered by now.
  const before = await answerBefore<PaymentProgress>(dependencies, tenantId, request);
  if (before) return before;
  if (left.call === null) {
    throw new DomainError('update.refused', 'the payment has no call that waits for an answer');
  }
  const { payment: asked } = left;
  const lost =
    asked.phase === 'Processing' && isLost(await ask(gateways, tenantId, left.call, true));
  if (!mayResolve({ phase: asked.phase, isLost: lost })) throw stillProcessing(asked);
  const answer: FinalAnswer = {
    outcome,
    transactionId: transactionId ?? null,
    errorCode: outcome === 'approved' ? '0' : 'resolved',
    errorMessage: null,
    isHardDecline: false,
    avsCode: null,
    cvvCode: null,
    approvalCode: null,
  };
  const noted = { ...answer, responseMs: null, statusMessage: reason };
  const ending = { ...whatCame(answer), did: `was resolved as ${outcome}` };
  const { payment, nudges } = await recordAnswer(dependencies, tenantId, left.call, noted, {
    onRecorded: ({ tx }, recorded) => keepAnswer(tx, request, progressOf(recorded, ending)),
  });
  dispatch(tenantId, nudges);
  const progress = progressOf(payment, ending);
  return logPayment(dependencies, tenantId, progress, began);
}

function stillProcessing({ id, newsOn }: PendingPayment): DomainError {
  const by = newsOn === null ? 'within some days' : `on ${newsOn}`;
  return new DomainError(
    'payment.processing',
    `payment ${id} cannot be resolved: it is Processing, the gateway has accepted it, and says ` +
      `${by} how it ended`,
  );
}
