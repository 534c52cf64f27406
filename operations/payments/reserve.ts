/** Gives a payment its turn: one of a customer is with the gateway at a time, and what it asks for. */
import type { Decimal } from '../../domain/model.ts';
import { compare, negate } from '../../domain/money/money.ts';
import { insertResult } from '../../db/queries/payments/write.ts';
import type { Nudge } from '../context/nudge.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { chargeCall, returnCall, type Call } from './call.ts';
import { latestOf, lockCascade, noLongerCarried, type PendingPayment } from './cascade.ts';
import { findingCodes, heldBy, lateApprovalOf } from './findings.ts';
import { callNext, recordGivenUp } from './record.ts';
import { concludeRefund, planShares } from './refund.ts';

export type Reserved =
  /** Nothing is left to do; `did` says what was done just now, or found. */
  | {
      readonly kind: 'final';
      readonly payment: PendingPayment;
      readonly did?: string;
      readonly failureCode?: string;
    }
  /** Something else stands under the key of the call: a person has to say what became of it. */
  | { readonly kind: 'held'; readonly payment: PendingPayment; readonly why: string }
  /** Another payment of the customer is with the gateway. */
  | { readonly kind: 'turn'; readonly payment: PendingPayment }
  /** The gateway is to be asked; `mayHaveBeenSent` when it may have been, by someone who is gone. */
  | {
      readonly kind: 'call';
      readonly payment: PendingPayment;
      readonly call: Call;
      readonly mayHaveBeenSent: boolean;
    };

/** What a crash, or a gateway that does not answer, has left of a cascade; null for anything else. */
export function interruptedCall(
  dependencies: Dependencies,
  tenantId: number,
  cascadeId: number,
): Promise<{ readonly payment: PendingPayment; readonly call: Call | null }> {
  return inOperation(dependencies, tenantId, async (context) => {
    const payment = await lockCascade(context, cascadeId);
    if (payment.phase !== 'Charging') return { payment, call: null };
    const reserved = await callOf(context, payment, true);
    return { payment, call: reserved.kind === 'call' ? reserved.call : null };
  });
}

export interface Reservation {
  readonly reserved: Reserved;
  /** What was enqueued, for its own process to deliver at once. */
  readonly nudges: readonly Nudge[];
}

/** Takes the turn, or finds it taken by itself before: then a crash may have left a call behind. */
export function reserve(
  dependencies: Dependencies,
  tenantId: number,
  cascadeId: number,
): Promise<Reservation> {
  return inOperation(dependencies, tenantId, async (context) => {
    const reserved = await turnOf(context, await lockCascade(context, cascadeId));
    if (reserved.kind === 'final') noLongerCarried(context, cascadeId);
    return { reserved, nudges: context.nudges };
  });
}

async function turnOf(context: OperationContext, waiting: PendingPayment): Promise<Reserved> {
  if (waiting.status !== 'Pending') return ended(context, waiting);
  if (waiting.phase === 'Charging') return leftBehind(context, waiting);
  const amount = await amountNow(context, waiting);
  if (amount === null) return overtaken(context, waiting);
  const payment = { ...waiting, amount };
  if (!(await takeTurn(context, payment))) return { kind: 'turn', payment };
  if (payment.payment_type === 'Refund') {
    const { id, customer_id, currency } = payment;
    const refund = { ...payment, id, customer_id, currency, amount: negate(payment.amount) };
    if (!(await planShares(context, refund))) return noLongerThere(context, payment);
  }
  return callOf(context, { ...payment, phase: 'Charging' }, false);
}

async function ended({ tx }: OperationContext, payment: PendingPayment): Promise<Reserved> {
  const found = await lateApprovalOf(tx, payment.cascade_id);
  if (found === undefined) return { kind: 'final', payment };
  const failureCode = findingCodes.lateApproval;
  return { kind: 'final', payment, did: `is final, but ${found}`, failureCode };
}

async function leftBehind(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  const left = await callOf(context, payment, true);
  const why = left.kind === 'call' ? await heldBy(context.tx, left.call) : undefined;
  return why === undefined ? left : { kind: 'held', payment, why };
}

async function takeTurn(
  { tx, time }: OperationContext,
  { id, amount }: PendingPayment,
): Promise<boolean> {
  const taken = await tx.query(
    `update payment p set phase = 'Charging', amount = $2, version = p.version + 1,
       updated_at = $3
     where p.id = $1 and p.phase = 'Waiting' and not exists (
       select from payment o where o.tenant_id = p.tenant_id and o.customer_id = p.customer_id
         and o.phase = 'Charging') returning p.id`,
    [id, amount, time.now],
    'take-turn',
  );
  return taken.length > 0;
}

/**
 * What is to be charged now: null where nothing is open any more of the invoices that it names. An
 * invoice that pays itself is charged for no more than what is open.
 */
async function amountNow(
  { tx }: OperationContext,
  payment: PendingPayment,
): Promise<Decimal | null> {
  const { payment_type: type, named_invoice_ids: named, amount } = payment;
  if (type !== 'Payment' || named.length === 0) return amount;
  const [row] = await tx.query<{ open: Decimal | null }>(
    `select sum(outstanding_balance) as open from invoice
     where id = any($1) and status = 'Outstanding'`,
    [named],
    'still-open',
  );
  const open = row?.open ?? null;
  if (open === null || payment.autopay_invoice_id === null) return open === null ? null : amount;
  return compare(open, amount) < 0 ? open : amount;
}

/** Its invoices were paid or cancelled while it waited: nobody is charged. */
async function overtaken(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  await conclude(context, payment, 'Canceled');
  // Of another currency, what it had made for it may be open still.
  await recordGivenUp(context, payment);
  const did = 'was canceled: nothing is open of the invoices that it names';
  return { kind: 'final', payment: { ...payment, status: 'Canceled', phase: null }, did };
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
async function noLongerThere(
  context: OperationContext,
  payment: PendingPayment,
): Promise<Reserved> {
  const { id, gateway, amount, currency } = payment;
  if (gateway !== null) {
    const row = { payment_id: id, processor: gateway, amount: negate(amount), currency };
    insertResult(context.tx, { ...row, ...tooLate }, context.time.now);
  }
  await conclude(context, payment, 'Declined');
  return { kind: 'final', payment: { ...payment, status: 'Declined', phase: null } };
}

async function conclude(
  context: OperationContext,
  { id, customer_id }: PendingPayment,
  status: 'Canceled' | 'Declined',
): Promise<void> {
  context.tx.send(
    `update payment set status = $2, phase = null, version = version + 1, updated_at = $3
     where id = $1`,
    [id, status, context.time.now],
    'conclude-uncharged',
  );
  await callNext(context, customer_id);
}

async function callOf(
  context: OperationContext,
  payment: PendingPayment,
  mayHaveBeenSent: boolean,
): Promise<Reserved> {
  if (payment.payment_type === 'Refund') {
    const call = await returnCall(context, payment);
    if (call) return { kind: 'call', payment, call, mayHaveBeenSent };
    await concludeRefund(context, payment);
    await callNext(context, payment.customer_id);
    return { kind: 'final', payment: await latestOf(context, payment.cascade_id) };
  }
  return { kind: 'call', payment, call: await chargeCall(context, payment), mayHaveBeenSent };
}
