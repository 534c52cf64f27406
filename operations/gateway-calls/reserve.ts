/**
 * Reserves a payment for a step at its gateway: in its turn, or after a crash interrupted a step.
 */
import type { Nudge } from '../context/nudge.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { processingCall, type Call } from './call.ts';
import { lockCascade, noLongerCarried, type PendingPayment } from './cascade.ts';
import { findingCodes, heldBy, openFindingOf } from './findings.ts';
import { newsOf } from './news.ts';
import { callOf, concluded, type Reserved } from './reserved.ts';
import { turnOf } from './turn.ts';

export interface Reservation {
  readonly reserved: Reserved;
  /** The enqueued nudges, which this process delivers at once. */
  readonly nudges: readonly Nudge[];
}

/**
 * Takes the turn, or finds that the payment has it already, after a possible crash during a call.
 */
export function reserve(
  dependencies: Dependencies,
  tenantId: number,
  cascadeId: number,
): Promise<Reservation> {
  return inOperation(dependencies, tenantId, async (context) => {
    const reserved = await stepOf(context, await lockCascade(context, cascadeId));
    if (reserved.kind === 'final') noLongerCarried(context, reserved.payment);
    return { reserved, nudges: context.nudges };
  });
}

async function stepOf(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  if (payment.status !== 'Pending') return ended(context, payment);
  if (payment.phase === 'Charging') return leftBehind(context, payment);
  if (payment.phase === 'Processing') return stillProcessing(context, payment);
  return turnOf(context, payment);
}

async function ended(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  const news = await newsOf(context, payment);
  if (news !== undefined) return { kind: 'news', payment, news };
  const found = await openFindingOf(context.tx, payment.cascadeId);
  if (found === undefined) return { kind: 'final', payment };
  const failureCode = findingCodes[found.kind];
  return { kind: 'final', payment, did: `is final, but ${found.detail}`, failureCode };
}

async function leftBehind(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  const left = await callOf(context, payment, true);
  const why = left.kind === 'call' ? await heldBy(context.tx, left.call) : undefined;
  return why === undefined ? left : { kind: 'held', payment, why };
}

async function stillProcessing(
  context: OperationContext,
  payment: PendingPayment,
): Promise<Reserved> {
  const call = await processingCall(context, payment);
  if (!call) return concluded(context, payment);
  const why = await heldBy(context.tx, call);
  if (why !== undefined) return { kind: 'held', payment, why };
  return { kind: 'call', payment, call, mayHaveBeenSent: true };
}

/** The call of a cascade without an answer, after a crash or a lost answer; else null. */
export function interruptedCall(
  dependencies: Dependencies,
  tenantId: number,
  cascadeId: number,
): Promise<{ readonly payment: PendingPayment; readonly call: Call | null }> {
  return inOperation(dependencies, tenantId, async (context) => {
    const payment = await lockCascade(context, cascadeId);
    if (payment.phase === 'Processing') {
      return { payment, call: (await processingCall(context, payment)) ?? null };
    }
    if (payment.phase !== 'Charging') return { payment, call: null };
    const reserved = await callOf(context, payment, true);
    return { payment, call: reserved.kind === 'call' ? reserved.call : null };
  });
}
