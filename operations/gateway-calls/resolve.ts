/** Resolves by hand a call of which the gateway will never say how it ended. */
import { writeUpdate } from '../access/audit-log.ts';
import { DomainError } from '../../domain/errors.ts';
import { mayResolve } from '../../domain/payments/resolution.ts';
import {
  GatewayDifference,
  type GatewayAnswer,
  type Gateways,
} from '../../providers/gateway/gateway.ts';
import type { PaymentProgress } from '../../workflows/contract/contract.ts';
import type { Dependencies } from '../context/context.ts';
import { answerBefore, keepAnswer } from '../context/update-answers.ts';
import { ask, askToEnd, isLost } from './ask.ts';
import type { Call } from './call.ts';
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
  /** Who says so. */
  readonly by?: string | undefined;
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
  { cascadeId, outcome, reason, by, transactionId, requestId }: Resolution,
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
  const { payment: asked, call } = left;
  const isWaiting = asked.status === 'ActionRequired';
  const said = isWaiting
    ? await endedAs(gateways, tenantId, call, outcome)
    : await lostOf(gateways, tenantId, { payment: asked, call });
  const answer: GatewayAnswer = said ?? {
    outcome,
    transactionId: transactionId ?? null,
    errorCode: outcome === 'approved' ? '0' : isWaiting ? 'authentication_required' : 'resolved',
    errorMessage: null,
    isHardDecline: false,
    avsCode: null,
    cvvCode: null,
    approvalCode: null,
  };
  const noted = { ...answer, responseMs: null, statusMessage: reason };
  const ending = { ...whatCame(answer), did: `was resolved as ${outcome}` };
  const { payment, nudges } = await recordAnswer(dependencies, tenantId, call, noted, {
    isSaid: said !== null,
    onRecorded: ({ tx }, recorded) => {
      writeUpdate(tx, { by, update: 'resolve', object: { type: 'payment', id: cascadeId } });
      keepAnswer(tx, request, progressOf(recorded, ending));
    },
  });
  dispatch(tenantId, nudges);
  const progress = progressOf(payment, ending);
  return logPayment(dependencies, tenantId, progress, began);
}

/** Throws unless a person may say how the call ended, because the gateway will not. */
async function lostOf(
  gateways: Gateways,
  tenantId: number,
  { payment, call }: { readonly payment: PendingPayment; readonly call: Call },
): Promise<null> {
  const { phase } = payment;
  const lost = phase === 'Processing' && isLost(await ask(gateways, tenantId, call, true));
  if (!mayResolve({ phase, isLost: lost })) throw stillProcessing(payment);
  return null;
}

/**
 * What waits for its payer is ended at the gateway, which then says what it became; null if the
 * gateway does not know it.
 */
async function endedAs(
  gateways: Gateways,
  tenantId: number,
  call: Call,
  outcome: Resolution['outcome'],
): Promise<GatewayAnswer | null> {
  const { madeAs } = call;
  if (outcome === 'approved' || call.operation !== 'charge' || madeAs == null) {
    const message = 'a payment that waits for its payer can be resolved as declined only';
    throw new DomainError('update.refused', message);
  }
  const known = await ask(gateways, tenantId, call, true);
  if (isLost(known)) return null;
  const said = await askToEnd(gateways, tenantId, { ...call, madeAs });
  if (said instanceof GatewayDifference) return null;
  if ('waits' in said) throw new DomainError('update.refused', `${said.waits}: try again`);
  return said;
}

function stillProcessing({ id, newsOn }: PendingPayment): DomainError {
  const by = newsOn === null ? 'within some days' : `on ${newsOn}`;
  return new DomainError(
    'payment.processing',
    `payment ${id} cannot be resolved: it is Processing, the gateway has accepted it, and says ` +
      `${by} how it ended`,
  );
}
