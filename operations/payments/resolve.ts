/** Resolves by hand a call of which the gateway will never say how it ended. */
import { DomainError } from '../../domain/errors.ts';
import { mayResolve } from '../../domain/payments/resolution.ts';
import type { FinalAnswer, Gateways } from '../../providers/gateway/gateway.ts';
import type { PaymentProgress } from '../../workflows/contract.ts';
import type { Dependencies } from '../context/context.ts';
import { ask, isLost } from './ask.ts';
import type { PendingPayment } from './cascade.ts';
import { progressOf, whatCame, type AdvanceHooks } from './process.ts';
import { recordAnswer } from './record-answer.ts';
import { interruptedCall } from './reserve.ts';
import { tellPayment } from './tell-payment.ts';

/** The resolution, by hand, of a call that the gateway never answers. */
export interface Resolution {
  readonly cascadeId: number;
  readonly outcome: 'approved' | 'declined';
  readonly reason: string;
  /** The gateway's id, which a refund of the approved charge needs. */
  readonly transactionId?: string | undefined;
}

/**
 * Concludes the call in progress as if the gateway had answered; does nothing without one. The
 * gateway is asked about it afterwards (resolved.ts). Throws payment.processing.
 */
export async function resolvePayment(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  { cascadeId, outcome, reason, transactionId }: Resolution,
  { dispatch }: Pick<AdvanceHooks, 'dispatch'>,
): Promise<PaymentProgress> {
  const began = performance.now();
  const left = await interruptedCall(dependencies, tenantId, cascadeId);
  if (left.call === null) {
    return progressOf(left.payment, { did: 'had no call to be resolved', waitMs: 0 });
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
  const { payment, nudges } = await recordAnswer(dependencies, tenantId, left.call, noted);
  dispatch(tenantId, nudges);
  const progress = progressOf(payment, { ...whatCame(answer), did: `was resolved as ${outcome}` });
  return tellPayment(dependencies, tenantId, progress, began);
}

function stillProcessing({ id, news_on: newsOn }: PendingPayment): DomainError {
  const by = newsOn === null ? 'within some days' : `on ${newsOn}`;
  return new DomainError(
    'payment.processing',
    `payment ${id} cannot be resolved: it is Processing, the gateway has accepted it, and says ` +
      `${by} how it ended`,
  );
}
