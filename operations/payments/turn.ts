/**
 * Takes a payment's turn: one per customer is at the gateway at a time, for the present open
 * amount.
 */
import type { Decimal } from '../../domain/model.ts';
import { compare, negate } from '../../domain/money/money.ts';
import { insertResult } from '../../db/queries/payments/write.ts';
import type { OperationContext } from '../context/context.ts';
import type { PendingPayment } from './cascade.ts';
import { callNext, recordGivenUp } from './record.ts';
import { planShares } from './refund.ts';
import { callOf, type Reserved } from './reserved.ts';

/** @param waiting a pending payment in the phase Waiting */
export async function turnOf(
  context: OperationContext,
  waiting: PendingPayment,
): Promise<Reserved> {
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

/** Cancels a payment whose invoices were paid or cancelled while it waited. */
async function overtaken(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  await conclude(context, payment, 'Canceled');
  // Invoices made for it in another currency may still be open.
  await recordGivenUp(context, payment);
  const did = 'was canceled: nothing is open of the invoices that it names';
  return { kind: 'final', payment: { ...payment, status: 'Canceled', phase: null }, did };
}

const tooLate = {
  processor_request_type: 'refund',
  is_success: false,
  is_error: false,
  error_code: 'refund_too_high',
  error_message: 'The money was refunded or its payment cancelled meanwhile.',
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
