/** Gives a payment its turn: one of a customer is with the gateway at a time, and what it asks for. */
import type { Decimal } from '../../domain/model.ts';
import { formatAmount, negate } from '../../domain/money.ts';
import type { PaymentStatus, PaymentType } from '../../domain/payments.ts';
import type { ChargeCall, GatewayName, ReturnCall } from '../../providers/gateway/gateway.ts';
import type { RecordedPayment } from './record.ts';
import { callNext } from './record.ts';
import { concludeRefund, nextShare, planShares } from './refund.ts';
import type { RefundSource } from './refund-source.ts';
import { insertResult } from '../../db/queries/payment-write.ts';
import { lockCustomer } from '../locks.ts';
import { dequeue, type Nudge } from '../outbox.ts';
import { working, type Services, type Work } from '../services.ts';

/** The attempt of a cascade that is under way, or its last one. */
export interface PendingPayment extends RecordedPayment, RefundSource {
  readonly payment_type: PaymentType;
  readonly status: PaymentStatus;
  readonly phase: 'Waiting' | 'Charging' | null;
  readonly attempt: number;
  readonly autopay_preference: number | null;
  readonly is_cascading: boolean;
  readonly gateway: GatewayName | null;
  readonly autopay_invoice_id: number | null;
}

interface CallOwner {
  readonly chainId: number;
  readonly paymentId: number;
  readonly gateway: GatewayName;
}

/** What the gateway is asked for, and for which payment. */
export type Call = CallOwner &
  (
    | ({ readonly operation: 'charge' } & ChargeCall)
    | ({ readonly operation: 'refund' | 'void'; readonly shareId: number } & ReturnCall)
  );

export type Reserved =
  /** Nothing is left to do. */
  | { readonly kind: 'final'; readonly payment: PendingPayment }
  /** Another payment of the customer is with the gateway. */
  | { readonly kind: 'turn'; readonly payment: PendingPayment }
  /** The gateway is to be asked; `isLeft` when it may have been, by someone who is gone. */
  | {
      readonly kind: 'call';
      readonly payment: PendingPayment;
      readonly call: Call;
      readonly isLeft: boolean;
    };

const columns = `id, chain_id, customer_id, currency, amount, surcharge, payment_method_id,
  save_as_preference, payment_type, status, phase, attempt, autopay_preference, is_cascading,
  gateway, autopay_invoice_id, payment_method_type, payment_method_context`;

/** What a crash, or a gateway that does not answer, has left of a cascade; null for anything else. */
export function leftCall(
  services: Services,
  tenantId: number,
  chainId: number,
): Promise<{ readonly payment: PendingPayment; readonly call: Call | null }> {
  return working(services, tenantId, async (work) => {
    const payment = await lockChain(work, chainId);
    if (payment.phase !== 'Charging') return { payment, call: null };
    const reserved = await callOf(work, payment, true);
    return { payment, call: reserved.kind === 'call' ? reserved.call : null };
  });
}

/** The newest attempt of a cascade. */
export async function latestOf(work: Pick<Work, 'tx'>, chainId: number): Promise<PendingPayment> {
  const [payment] = await work.tx.query<PendingPayment>(
    `select ${columns} from payment where chain_id = $1 order by id desc limit 1`,
    [chainId],
    'latest-of-chain',
  );
  if (!payment) throw new Error(`there is no payment ${chainId}`);
  return payment;
}

/** Locks the cascade's customer, and answers its newest attempt. */
export async function lockChain(work: Work, chainId: number): Promise<PendingPayment> {
  const { customer_id: id } = await latestOf(work, chainId);
  await lockCustomer(work.tx, { id });
  return latestOf(work, chainId);
}

export interface Reservation {
  readonly reserved: Reserved;
  /** What was enqueued, for its own process to deliver at once. */
  readonly nudges: readonly Nudge[];
}

/** Takes the turn, or finds it taken by itself before: then a crash may have left a call behind. */
export function reserve(
  services: Services,
  tenantId: number,
  chainId: number,
): Promise<Reservation> {
  return working(services, tenantId, async (work) => {
    const reserved = await turnOf(work, await lockChain(work, chainId));
    if (reserved.kind === 'final') noLongerCarried(work, chainId);
    return { reserved, nudges: work.nudges };
  });
}

/**
 * Until it is final its nudge stays in the outbox: who carries it need not be its workflow, and what
 * he leaves when he dies that workflow takes up.
 */
export function noLongerCarried(work: Work, chainId: number): void {
  dequeue(work, { kind: 'payment', objectId: chainId });
}

async function turnOf(work: Work, waiting: PendingPayment): Promise<Reserved> {
  if (waiting.status !== 'Pending') return { kind: 'final', payment: waiting };
  if (waiting.phase === 'Charging') return callOf(work, waiting, true);
  const amount = await amountNow(work, waiting);
  if (amount === '0') return overtaken(work, waiting);
  const payment = { ...waiting, amount };
  if (!(await takeTurn(work, payment))) return { kind: 'turn', payment };
  if (payment.payment_type === 'Refund') {
    const { id, customer_id, currency } = payment;
    const refund = { ...payment, id, customer_id, currency, amount: negate(payment.amount) };
    if (!(await planShares(work, refund))) return noLongerThere(work, payment);
  }
  return callOf(work, { ...payment, phase: 'Charging' }, false);
}

async function takeTurn({ tx, moment }: Work, { id, amount }: PendingPayment): Promise<boolean> {
  const taken = await tx.query(
    `update payment p set phase = 'Charging', amount = $2, version = p.version + 1,
       updated_at = $3
     where p.id = $1 and p.phase = 'Waiting' and not exists (
       select from payment o where o.tenant_id = p.tenant_id and o.customer_id = p.customer_id
         and o.phase = 'Charging') returning p.id`,
    [id, amount, moment.now],
    'take-turn',
  );
  return taken.length > 0;
}

/** An invoice that pays itself is charged for no more than what is open when its turn has come. */
async function amountNow({ tx }: Work, payment: PendingPayment): Promise<Decimal> {
  if (payment.autopay_invoice_id === null) return payment.amount;
  const [row] = await tx.query<{ amount: Decimal }>(
    `select least(outstanding_balance, $2::numeric) as amount from invoice
     where id = $1 and status = 'Outstanding'`,
    [payment.autopay_invoice_id, payment.amount],
    'still-open',
  );
  return row?.amount ?? '0';
}

/** Its invoice was paid or cancelled while it waited: nobody is charged. */
async function overtaken(work: Work, payment: PendingPayment): Promise<Reserved> {
  await conclude(work, payment, 'Canceled');
  return { kind: 'final', payment: { ...payment, status: 'Canceled', phase: null } };
}

const tooLate = {
  processor_request_type: 'refund',
  is_success: false,
  is_error: false,
  error_code: 'refund_too_high',
  error_message: 'What it was to give back has gone back, or was cancelled, meanwhile.',
  status_code: 'declined',
  status_message: null,
  transaction_id: null,
  secondary_amount: '0',
  avs_code: null,
  cvv_code: null,
  approval_code: null,
  response_time_ms: null,
} as const;

/** What it wanted to give back went back by another while it waited: nobody was asked for it. */
async function noLongerThere(work: Work, payment: PendingPayment): Promise<Reserved> {
  const { id, gateway, amount, currency } = payment;
  if (gateway !== null) {
    const row = { payment_id: id, processor: gateway, amount: negate(amount), currency };
    insertResult(work.tx, { ...row, ...tooLate }, work.moment.now);
  }
  await conclude(work, payment, 'Declined');
  return { kind: 'final', payment: { ...payment, status: 'Declined', phase: null } };
}

async function conclude(
  work: Work,
  { id, customer_id }: PendingPayment,
  status: 'Canceled' | 'Declined',
): Promise<void> {
  work.tx.send(
    `update payment set status = $2, phase = null, version = version + 1, updated_at = $3
     where id = $1`,
    [id, status, work.moment.now],
    'conclude-uncharged',
  );
  await callNext(work, customer_id);
}

async function callOf(work: Work, payment: PendingPayment, isLeft: boolean): Promise<Reserved> {
  if (payment.payment_type === 'Refund') {
    const call = await returnCall(work, payment);
    if (call) return { kind: 'call', payment, call, isLeft };
    await concludeRefund(work, payment);
    await callNext(work, payment.customer_id);
    return { kind: 'final', payment: await latestOf(work, payment.chain_id) };
  }
  return { kind: 'call', payment, call: await chargeCall(work, payment), isLeft };
}

async function chargeCall({ tx, tenant }: Work, payment: PendingPayment): Promise<Call> {
  const { id: paymentId, amount, currency, gateway, payment_method_id: methodId } = payment;
  const [method] = await tx.query<{ token: string; type: ChargeCall['methodType'] }>(
    'select token, type from payment_method where id = $1',
    [methodId],
    'method-to-charge',
  );
  if (!method || gateway === null) throw new Error(`payment ${paymentId} has no method to charge`);
  return {
    operation: 'charge',
    chainId: payment.chain_id,
    paymentId,
    gateway,
    idempotencyKey: `${tenant.label}/${paymentId}`,
    token: method.token,
    methodType: method.type,
    amount: formatAmount(currency, amount),
    currency,
    description: `${tenant.name}, payment ${paymentId}`,
  };
}

async function returnCall(
  { tx, tenant }: Work,
  { chain_id: chainId, id: paymentId, currency }: PendingPayment,
): Promise<Call | undefined> {
  const share = await nextShare(tx, paymentId);
  if (!share) return undefined;
  const { id: shareId, way: operation, amount, gateway, transaction_id: transactionId } = share;
  const idempotencyKey = `${tenant.label}/${shareId}`;
  return {
    operation,
    chainId,
    paymentId,
    shareId,
    gateway,
    idempotencyKey,
    transactionId,
    amount: formatAmount(currency, amount),
    currency,
  };
}
