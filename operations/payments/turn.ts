/**
 * Takes a payment's turn: one payment of a customer is at the gateway at a time, for the present
 * open amount.
 */
import type { Decimal } from '../../domain/model.ts';
import { add, compare, negate, sum } from '../../domain/money/money.ts';
import { insertResult } from '../../db/queries/payments/write.ts';
import { payBySelfAfter, setAsideByProcessing } from '../allocation/set-aside.ts';
import type { OperationContext } from '../context/context.ts';
import { recordAttemptOvertaken } from './attempts.ts';
import type { PendingPayment } from './cascade.ts';
import { installmentNow } from './installments.ts';
import { callNext, recordGivenUp } from './record.ts';
import { planShares } from './refund.ts';
import { callOf, type Reserved } from './reserved.ts';

/** @param waiting a pending payment in the phase Waiting */
export async function turnOf(
  context: OperationContext,
  waiting: PendingPayment,
): Promise<Reserved> {
  const now = await amountNow(context, waiting);
  if ('overtakenBy' in now) return overtaken(context, waiting, now.overtakenBy);
  const payment = { ...waiting, amount: now.amount };
  if (!(await takeTurn(context, payment))) return { kind: 'turn', payment };
  if (payment.payment_type === 'Refund') {
    const { id, customer_id, currency } = payment;
    const refund = { ...payment, id, customer_id, currency, amount: negate(payment.amount) };
    if (!(await planShares(context, refund))) return noLongerThere(context, payment);
  }
  return callOf(context, { ...payment, phase: 'Charging' }, false);
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

type AmountNow =
  | { readonly amount: Decimal }
  /** The cascade of a payment in processing that would pay all of them; null if they are paid. */
  | { readonly overtakenBy: number | null };

/**
 * The amount to charge now. It is zero if the named invoices are paid, or would be by payments in
 * processing. An invoice with autopay is charged for at most its open amount, an installment for at
 * most what is owed. A retry is not made while its customer has an enabled payment plan.
 */
async function amountNow(context: OperationContext, payment: PendingPayment): Promise<AmountNow> {
  const { tx } = context;
  const { payment_type: type, named_invoice_ids: named, amount } = payment;
  if (type !== 'Payment') return { amount };
  if (named.length === 0) {
    if (payment.collection_attempt_id === null) return { amount };
    const now = await installmentNow(context, payment);
    return now === null ? { overtakenBy: null } : { amount: now };
  }
  const [rows, setAside] = await Promise.all([
    tx.query<{ id: number; open: Decimal }>(
      `select i.id, i.outstanding_balance as open from invoice i
       where i.id = any($1) and i.status = 'Outstanding' and not ($2 and exists (
         select from payment_plan own where own.tenant_id = i.tenant_id
           and own.customer_id = i.customer_id and own.is_enabled))`,
      [named, payment.collection_attempt_id !== null],
      'still-open',
    ),
    setAsideByProcessing(tx, [payment.customer_id]),
  ]);
  if (rows.length === 0) return { overtakenBy: null };
  const open = sum(rows.map((row) => add(row.open, negate(setAside.get(row.id)?.amount ?? '0'))));
  if (compare(open, '0') <= 0) {
    const cascadeIds = rows.flatMap(({ id }) => setAside.get(id)?.cascadeId ?? []);
    return { overtakenBy: cascadeIds[0] ?? null };
  }
  if (payment.autopay_invoice_id === null) return { amount };
  return { amount: compare(open, amount) < 0 ? open : amount };
}

/** Cancels a payment whose invoices were paid, cancelled or set aside while it waited. */
async function overtaken(
  context: OperationContext,
  payment: PendingPayment,
  by: number | null,
): Promise<Reserved> {
  await conclude(context, payment, 'Canceled');
  // Invoices made for it in another currency may still be open.
  await recordGivenUp(context, payment);
  await recordAttemptOvertaken(context, payment);
  const { autopay_invoice_id: invoiceId } = payment;
  if (by !== null && invoiceId !== null) payBySelfAfter(context, { invoiceId, cascadeId: by });
  const why = by === null ? 'open' : 'left beside a payment in processing';
  const did =
    payment.named_invoice_ids.length === 0
      ? 'was canceled: nothing is owed, or the payment plan has ended'
      : `was canceled: the invoices that it names have nothing ${why}`;
  return { kind: 'final', payment: { ...payment, status: 'Canceled', phase: null }, did };
}

const tooLate = {
  processor_request_type: 'refund',
  is_success: false,
  is_error: false,
  is_hard_decline: false,
  error_code: 'refund_too_high',
  error_message: 'The money was refunded, or its payment was cancelled, meanwhile.',
  status_code: 'declined',
  status_message: null,
  transaction_id: null,
  secondary_amount: '0',
  avs_code: null,
  cvv_code: null,
  approval_code: null,
  response_time_ms: null,
} as const;

/** Declines a refund whose money another refund returned while it waited. */
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
