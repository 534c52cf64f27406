/**
 * Asks gateways about calls that a person resolved: what they say later never changes a balance,
 * and is a finding if it differs from the resolution.
 */
import type { Charged } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import {
  GatewayDifference,
  GatewayError,
  type GatewayAnswer,
  type Gateways,
} from '../../providers/gateway/gateway.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { carryOut, type CarriedPayment } from '../collection/carry-out.ts';
import { chargeCall, endedShareCalls, type Call } from './call.ts';
import { lockOne, paymentOf, type PendingPayment } from './cascade.ts';
import { noteLateApproval, noteLateDecline, noteLateDifference, alert } from './findings.ts';

/** A person has resolved the call: the gateway is asked about it from the next 00:00 on. */
export function askAfterResolution(
  context: OperationContext,
  payment: CarriedPayment,
): Promise<void> {
  const { today } = context.time;
  const transition = paymentAfter(payment, { happened: 'resolved', today });
  return carryOut(context, { payments: [{ payment, transition }] });
}

/** What the gateway says of a call; null if it does not know yet, or cannot be asked. */
type Said = GatewayAnswer | GatewayDifference | null;

/** Asks about the resolved calls of a payment or refund; records what is said, or asks tomorrow. */
export async function askAboutResolved(
  dependencies: Dependencies,
  gateways: Gateways,
  tenantId: number,
  payment: { readonly id: number; readonly cascadeId: number },
): Promise<void> {
  const calls = await inOperation(dependencies, tenantId, async (context) => {
    const own = await paymentOf(context, payment.id);
    if (own.type === 'Refund') return endedShareCalls(context, own);
    return [await chargeCall(context, own)];
  });
  const said: [Call, Said][] = [];
  for (const call of calls) said.push([call, await sayOf(gateways, tenantId, call)]);
  const noted = await inOperation(dependencies, tenantId, async (context) => {
    const own = await lockOne(context, payment.id);
    const texts: (string | undefined)[] = [];
    for (const [call, what] of said) texts.push(await note(context, call, what));
    if (said.some(([, what]) => what === null)) await askTomorrow(context, own);
    else await hasSaid(context, own, said);
    return texts.filter((text) => text !== undefined);
  });
  for (const text of noted) await alert(dependencies, tenantId, { paymentId: payment.id }, text);
}

async function sayOf(gateways: Gateways, tenantId: number, call: Call): Promise<Said> {
  try {
    const gateway = await gateways.named(tenantId, call.gateway);
    const status = await gateway.status(call.operation, call);
    return typeof status === 'string' || status.outcome === 'pending' ? null : status;
  } catch (error) {
    if (error instanceof GatewayDifference) return error;
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

async function note(
  context: OperationContext,
  call: Call,
  said: Said,
): Promise<string | undefined> {
  if (said === null) return undefined;
  if (said instanceof GatewayDifference) {
    return noteLateDifference(context, call, said.message, said.found.transactionId);
  }
  return (
    (await noteLateApproval(context, call, said)) ??
    (await noteLateDecline(context, call, said)) ??
    (await noteOtherId(context, call, said))
  );
}

/** The person who resolved the call gave another transaction than the gateway's. */
async function noteOtherId(
  context: OperationContext,
  call: Call,
  { outcome, transactionId }: GatewayAnswer,
): Promise<string | undefined> {
  if (outcome !== 'approved' || transactionId === null) return undefined;
  const [table, id] =
    call.operation === 'charge' ? ['payment', call.paymentId] : ['refund_share', call.shareId];
  const [other] = await context.tx.query<{ known: string }>(
    `select transaction_id as known from ${table} where id = $1 and transaction_id <> $2`,
    [id, transactionId],
    `other-id-of-${table}`,
  );
  if (!other) return undefined;
  const detail = `the gateway has it as transaction ${transactionId}, not ${other.known}`;
  return noteLateDifference(context, call, detail, transactionId);
}

/** Nothing more is to be asked. An approved charge can be refunded by the gateway's own id. */
function hasSaid(
  context: OperationContext,
  payment: PendingPayment,
  said: readonly (readonly [Call, Said])[],
): Promise<void> {
  let charged: Charged | null = null;
  for (const [call, what] of said) {
    if (what === null || what instanceof GatewayDifference || what.outcome !== 'approved') continue;
    const { transactionId } = what;
    if (call.operation === 'charge') charged = what;
    else {
      context.tx.send(
        `update refund_share set transaction_id = coalesce(transaction_id, $2)
         where id = $1 and status = 'Paid'`,
        [call.shareId, transactionId],
        'id-of-resolved-share',
      );
    }
  }
  const transition = paymentAfter(payment, { happened: 'resolutionAnswered', charged });
  return carryOut(context, { payments: [{ payment, transition }] });
}

function askTomorrow(context: OperationContext, payment: PendingPayment): Promise<void> {
  const { today } = context.time;
  const unanswered = { happened: 'resolutionUnanswered', today } as const;
  const transition = paymentAfter(payment, unanswered);
  return carryOut(context, { payments: [{ payment, transition }] });
}
