/** Builds gateway calls: the charge of a payment, or the next share of a refund. */
import { formatAmount } from '../../domain/money/money.ts';
import type {
  ChargeCall,
  GatewayName,
  PayerOfCall,
  ReturnCall,
  WaitingCall,
} from '../../providers/gateway/gateway.ts';
import type { OperationContext } from '../context/context.ts';
import type { PendingPayment } from './cascade.ts';
import {
  nextShare,
  processingShare,
  sharesEnded,
  sharesMade,
  type ShareToAsk,
} from '../refunds/refund.ts';

interface CallOwner {
  readonly cascadeId: number;
  readonly paymentId: number;
  readonly gateway: GatewayName;
  /** In processing: the gateway has accepted the call under this id, and is not called again. */
  readonly madeAs?: string | null;
}

/** A charge, whose payer comes back to a sealed address if he is present. */
interface Charge extends Omit<ChargeCall, keyof PayerOfCall> {
  readonly operation: 'charge';
  readonly returnSealed: string | null;
  /** An absent payer is not waited for: what asks for him is ended at once. */
  readonly endsIfAsked: boolean;
  /** What waits for its payer may be charged less: he agrees to what is open then. */
  readonly mayBeLess: boolean;
}

/** A gateway call, and its payment. */
export type Call = CallOwner &
  (Charge | ({ readonly operation: 'refund' | 'void'; readonly shareId: number } & ReturnCall));

export type ChargeOfPayment = Extract<Call, { readonly operation: 'charge' }>;

export async function chargeCall(
  { tx, tenant }: OperationContext,
  payment: PendingPayment,
): Promise<ChargeOfPayment> {
  const { id: paymentId, amount, currency, gateway, paymentMethodId: methodId } = payment;
  const { gatewayKey: idempotencyKey, returnSealed } = payment;
  const [method] = await tx.query<{
    token: string;
    type: ChargeCall['methodType'];
    mandate: string | null;
    isOnFile: boolean;
  }>(
    `select token, type, mandate, autopay_preference is not null as is_on_file
     from payment_method where id = $1`,
    [methodId],
    'method-to-charge',
  );
  if (!method || gateway === null || idempotencyKey === null) {
    throw new Error(`payment ${paymentId} has no method to charge`);
  }
  return {
    operation: 'charge',
    cascadeId: payment.cascadeId,
    paymentId,
    gateway,
    idempotencyKey,
    token: method.token,
    methodType: method.type,
    returnSealed,
    savesMethod: payment.saveAsPreference !== null,
    isOnFile: method.isOnFile,
    mandate: method.mandate,
    endsIfAsked: returnSealed === null && tenant.gatewaySettings.actionDays === 0,
    mayBeLess: payment.status === 'ActionRequired',
    amount: formatAmount(currency, amount),
    currency,
    description: `${tenant.name}, payment ${paymentId}`,
  };
}

/** The call of a payment that waits for its payer. */
export async function waitingCall(
  context: OperationContext,
  payment: PendingPayment,
): Promise<ChargeOfPayment & WaitingCall> {
  const { transactionId: madeAs } = payment;
  if (madeAs === null) throw new Error(`payment ${payment.id} waits without the gateway's id`);
  return { ...(await chargeCall(context, payment)), madeAs };
}

/** The next share to be sent. */
export async function returnCall(
  { tx }: OperationContext,
  refund: PendingPayment,
): Promise<Call | undefined> {
  const share = await nextShare(tx, refund.id);
  return share && callOfShare(share, refund);
}

/** The calls to look up for a payment or refund that the gateway is processing. */
export async function processingCall(
  context: OperationContext,
  payment: PendingPayment,
): Promise<Call | undefined> {
  if (payment.type !== 'Refund') {
    return { ...(await chargeCall(context, payment)), madeAs: payment.transactionId };
  }
  const share = await processingShare(context.tx, payment.id);
  return share && { ...callOfShare(share, payment), madeAs: share.madeAs };
}

/** The calls of a final refund: what the gateway made for each share is known. */
export async function doneShareCalls(
  context: OperationContext,
  refund: PendingPayment,
): Promise<Call[]> {
  const shares = await sharesMade(context.tx, refund.id);
  return shares.map((share) => ({ ...callOfShare(share, refund), madeAs: share.madeAs }));
}

/** The calls of a refund that have an outcome in the books, known to the gateway or not. */
export async function endedShareCalls(
  { tx }: OperationContext,
  refund: PendingPayment,
): Promise<Call[]> {
  const shares = await sharesEnded(tx, refund.id);
  return shares.map((share) => callOfShare(share, refund));
}

function callOfShare(
  share: ShareToAsk,
  { cascadeId, id: paymentId, currency }: PendingPayment,
): Call {
  const { id: shareId, way: operation, amount, gateway, transactionId } = share;
  const { gatewayKey: idempotencyKey } = share;
  return {
    operation,
    cascadeId,
    paymentId,
    shareId,
    gateway,
    idempotencyKey,
    transactionId,
    amount: formatAmount(currency, amount),
    currency,
  };
}
