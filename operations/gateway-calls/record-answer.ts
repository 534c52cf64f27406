/** Records the outcome of a gateway's call once, whichever process reports it. */
import type { GatewayAnswer } from '../../providers/gateway/gateway.ts';
import { insertPayments, insertResult, markHardDeclined } from '../../db/queries/payments/write.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import type { Nudge } from '../context/nudge.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { recordAttempt } from '../collection/attempts.ts';
import type { Call } from './call.ts';
import { latestOf, lockCascade, noLongerCarried, type PendingPayment } from './cascade.ts';
import { closeDifference, noteLateApproval, noteLateDecline } from './findings.ts';
import { askAfterResolution } from './resolved.ts';
import { columnsOfStored, methodOnFile } from '../payment-methods/methods-on-file.ts';
import {
  becomeProcessing,
  callNext,
  recordGivenUp,
  recordPaid,
  releaseSetAside,
} from '../payments/record.ts';

export interface RecordedAnswer extends GatewayAnswer {
  readonly responseMs: number | null;
  /** The reason of a resolution by hand. */
  readonly statusMessage: string | null;
}

export interface Recorded {
  /** The cascade's newest attempt. */
  readonly payment: PendingPayment;
  /** The enqueued nudges, which this process delivers at once. */
  readonly nudges: readonly Nudge[];
  /** The message about a late approval, to be reported. */
  readonly late?: string | undefined;
}

export interface RecordOptions {
  /** The caller is not the payment's own workflow. */
  readonly isElsewhere?: boolean;
  /** Called in the transaction that records the answer, with the cascade's newest attempt. */
  readonly onRecorded?: (context: OperationContext, payment: PendingPayment) => void;
}

/** A final payment does not change. */
export function recordAnswer(
  dependencies: Dependencies,
  tenantId: number,
  call: Call,
  answer: RecordedAnswer,
  { isElsewhere = false, onRecorded }: RecordOptions = {},
): Promise<Recorded> {
  return inOperation(dependencies, tenantId, async (context) => {
    const payment = await lockCascade(context, call.cascadeId);
    if (payment.id !== call.paymentId || !isUnderWay(payment)) {
      return { payment, nudges: context.nudges, late: await noteLate(context, call, answer) };
    }
    let late: string | undefined;
    if (call.operation === 'charge') await recordCharge(context, payment, call, answer);
    else late = await recordShare(context, call, answer);
    if (answer.statusMessage !== null) {
      closeDifference(context, call, answer.statusMessage);
      askAfterResolution(context, call);
    }
    const latest = await latestOf(context, call.cascadeId);
    if (latest.status !== 'Pending') {
      const hadWorkflow = isElsewhere && payment.phase === 'Processing';
      if (hadWorkflow) enqueue(context, [{ kind: 'payment', objectId: call.cascadeId }]);
      else noLongerCarried(context, latest);
    }
    onRecorded?.(context, latest);
    return { payment: latest, nudges: context.nudges, late };
  });
}

function isUnderWay({ phase }: PendingPayment): boolean {
  return phase === 'Charging' || phase === 'Processing';
}

/** A resolution by hand of a final payment is not an answer of the gateway. */
async function noteLate(
  context: OperationContext,
  call: Call,
  answer: RecordedAnswer,
): Promise<string | undefined> {
  if (answer.statusMessage !== null) return undefined;
  return (
    (await noteLateApproval(context, call, answer)) ??
    (await noteLateDecline(context, call, answer))
  );
}

async function recordCharge(
  context: OperationContext,
  payment: PendingPayment,
  call: Call,
  answer: RecordedAnswer,
): Promise<void> {
  if (answer.outcome === 'pending') {
    if (payment.phase === 'Charging') await becomeProcessing(context, payment, answer);
    return;
  }
  noteResult(context, call, answer, payment.surcharge);
  if (answer.outcome === 'approved') {
    await recordPaid(context, payment, answer);
    await recordAttempt(context, payment, 'paid');
  } else await recordDeclined(context, payment, answer);
  if (payment.phase === 'Processing') await releaseSetAside(context, payment.customer_id);
  await callNext(context, payment.customer_id);
}

/**
 * Each attempt has its own event, which says whether it was the last one of its cascade. The end of a
 * cascade inserts the next attempt to collect.
 */
async function recordDeclined(
  context: OperationContext,
  payment: PendingPayment,
  { isHardDecline }: RecordedAnswer,
): Promise<void> {
  const { tx, time } = context;
  tx.send(
    `update payment set status = 'Declined', phase = null, gateway_news_on = null,
       version = version + 1, updated_at = $2 where id = $1`,
    [payment.id, time.now],
    'payment-declined',
  );
  const { payment_method_id: methodId } = payment;
  if (isHardDecline && methodId !== null) markHardDeclined(tx, methodId, time.now);
  const final = !(await tryNextMethod(context, payment));
  const { id: objectId, customer_id: customerId } = payment;
  raise(context, [{ type: 'payment.failed', customerId, objectId, detail: { final } }]);
  if (!final) return;
  await recordGivenUp(context, payment);
  await recordAttempt(context, payment, 'declined');
}

/** The next method on file makes a separate payment; false if there is none. */
async function tryNextMethod(context: OperationContext, payment: PendingPayment): Promise<boolean> {
  const { tx, time } = context;
  const { autopay_preference: preference, customer_id } = payment;
  if (!payment.is_cascading || preference === null) return false;
  const use = payment.is_retry ? 'retry' : 'payment';
  const next = await methodOnFile(tx, customer_id, preference + 1, use);
  if (!next) return false;
  const [id = 0] = await takeIds(tx, 1);
  const [declined] = await tx.query<Kept>(
    `select effective_date, named_invoice_ids, is_system_payment, is_processed_by_billing_run,
            base_user_id, notes, invoice_text, purchase_description
     from payment where id = $1`,
    [payment.id],
    'kept-of-declined',
  );
  if (!declined) throw new Error(`there is no payment ${payment.id}`);
  const { cascade_id, payment_type, currency, amount, surcharge } = payment;
  const { autopay_invoice_id, collection_attempt_id } = payment;
  const shared = { cascade_id, payment_type, currency, amount, surcharge };
  const made = { autopay_invoice_id, collection_attempt_id, attempt: payment.attempt + 1 };
  const row = { ...declined, ...shared, ...made, ...columnsOfStored(next), id, customer_id };
  insertPayments(
    tx,
    [{ ...row, status: 'Pending', phase: 'Waiting', is_cascading: true, save_as_preference: null }],
    time.now,
  );
  return true;
}

interface Kept {
  readonly effective_date: string;
  readonly named_invoice_ids: readonly number[];
  readonly is_system_payment: boolean;
  readonly is_processed_by_billing_run: boolean;
  readonly base_user_id: number | null;
  readonly notes: string | null;
  readonly invoice_text: string | null;
  readonly purchase_description: string | null;
}

/** The refund is concluded once no share is left to send. */
async function recordShare(
  context: OperationContext,
  call: Call,
  answer: RecordedAnswer,
): Promise<string | undefined> {
  if (call.operation === 'charge') return undefined;
  const recorded = await context.tx.query(
    `update refund_share set status = $2, transaction_id = coalesce($3, transaction_id)
     where id = $1 and status in ('Pending', 'Processing') returning id`,
    [call.shareId, shareStatus[answer.outcome], answer.transactionId],
    'share-answered',
  );
  if (recorded.length === 0) return noteLate(context, call, answer);
  if (answer.outcome !== 'pending') noteResult(context, call, answer, '0');
  return undefined;
}

const shareStatus = { approved: 'Paid', declined: 'Declined', pending: 'Processing' } as const;

function noteResult(
  { tx, time }: OperationContext,
  call: Call,
  answer: RecordedAnswer,
  secondaryAmount: string,
): void {
  const isSuccess = answer.outcome === 'approved';
  insertResult(
    tx,
    {
      payment_id: call.paymentId,
      processor: call.gateway,
      processor_request_type: call.operation,
      transaction_id: answer.transactionId,
      is_success: isSuccess,
      is_error: false,
      error_code: answer.errorCode,
      error_message: answer.errorMessage,
      is_hard_decline: answer.isHardDecline,
      status_code: answer.outcome,
      status_message: answer.statusMessage,
      amount: call.amount,
      secondary_amount: secondaryAmount,
      currency: call.currency,
      avs_code: answer.avsCode,
      cvv_code: answer.cvvCode,
      approval_code: answer.approvalCode,
      response_time_ms: answer.responseMs,
    },
    time.now,
  );
}
