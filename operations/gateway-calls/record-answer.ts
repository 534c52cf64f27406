/** Records the outcome of a gateway's call once, whichever process reports it. */
import type { GatewayAnswer } from '../../providers/gateway/gateway.ts';
import type { Happened, PaymentState } from '../../domain/payments/happened.ts';
import { isUnderWay, paymentAfter } from '../../domain/payments/state.ts';
import { waiting } from '../../domain/payments/transitions.ts';
import {
  insertPayments,
  newPayment,
  type PaymentInsert,
} from '../../db/queries/payments/new-payments.ts';
import { insertResult, markHardDeclined } from '../../db/queries/payments/write.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import type { Nudge } from '../context/nudge.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { carryOut } from '../collection/carry-out.ts';
import type { Call } from './call.ts';
import { latestOf, lockCascade, noLongerCarried, type PendingPayment } from './cascade.ts';
import { closeDifference, noteLateApproval, noteLateDecline } from './findings.ts';
import { askAfterResolution } from './resolved.ts';
import { columnsOfStored, untriedMethod } from '../payment-methods/methods-on-file.ts';
import { noteRenewed } from '../payment-methods/gateway-updates.ts';
import { becomeProcessing } from '../payments/record.ts';

export interface RecordedAnswer extends GatewayAnswer {
  readonly responseMs: number | null;
  /** The reason of a resolution by hand. */
  readonly statusMessage: string | null;
}

export interface Recorded {
  /** The cascade's newest try. */
  readonly payment: PendingPayment;
  /** The enqueued nudges, which this process delivers at once. */
  readonly nudges: readonly Nudge[];
  /** The message about a late approval, to be reported. */
  readonly late?: string | undefined;
}

export interface RecordOptions {
  /** The caller is not the payment's own workflow. */
  readonly isElsewhere?: boolean;
  /** Called in the transaction that records the answer, with the cascade's newest try. */
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
    let state: PaymentState = payment;
    if (call.operation === 'charge') state = await recordCharge(context, payment, call, answer);
    else late = await recordShare(context, call, answer);
    if (answer.statusMessage !== null) {
      closeDifference(context, call, answer.statusMessage);
      await askAfterResolution(context, { ...payment, ...state });
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
): Promise<PaymentState> {
  const { transactionId, newsOn = null } = answer;
  if (answer.outcome === 'pending') {
    if (payment.phase === 'Processing') return payment;
    return becomeProcessing(context, payment, { transactionId, newsOn });
  }
  noteResult(context, call, answer, payment.surcharge);
  await noteRenewal(context, payment, answer);
  const { today } = context.time;
  const happened: Happened =
    answer.outcome === 'approved'
      ? { happened: 'approved', transactionId, newsOn, today }
      : { happened: 'declined', isLast: await isLastDecline(context, payment, answer) };
  const transition = paymentAfter(payment, happened);
  await carryOut(context, { payments: [{ payment, transition }] });
  return transition.state;
}

/** The gateway has a newer card in place of the charged one. */
async function noteRenewal(
  context: OperationContext,
  { paymentMethodId: id, customerId, gateway }: PendingPayment,
  { renewed = null }: RecordedAnswer,
): Promise<void> {
  if (renewed === null || id === null || gateway === null) return;
  await noteRenewed(context, { id, customerId, gateway }, renewed);
}

/**
 * Each payment of a cascade has its own event, which says whether it was the last one. The end of a
 * cascade inserts the next attempt to collect. True for the last one.
 */
async function isLastDecline(
  context: OperationContext,
  payment: PendingPayment,
  { isHardDecline }: RecordedAnswer,
): Promise<boolean> {
  const { tx, time } = context;
  const { paymentMethodId: methodId } = payment;
  if (isHardDecline && methodId !== null) markHardDeclined(tx, methodId, time.now);
  return !(await tryNextMethod(context, payment));
}

/** The next method on file makes a separate payment; false if there is none. */
async function tryNextMethod(context: OperationContext, payment: PendingPayment): Promise<boolean> {
  const { tx, time } = context;
  if (!payment.isCascading || payment.autopayPreference === null) return false;
  const next = await untriedMethod(tx, payment);
  if (!next) return false;
  const [id = 0] = await takeIds(tx, 1);
  const [declined] = await tx.query<Kept>(
    `select effective_date, named_invoice_ids, is_system_payment, is_processed_by_billing_run,
            base_user_id, notes, invoice_text, purchase_description, is_retry
     from payment where id = $1`,
    [payment.id],
    'kept-of-declined',
  );
  if (!declined) throw new Error(`there is no payment ${payment.id}`);
  const { cascadeId, customerId, currency, amount, surcharge } = payment;
  const { autopayInvoiceId, collectionAttemptId } = payment;
  const row = newPayment(waiting('Payment', { amount, surcharge }), {
    ...declined,
    ...columnsOfStored(next),
    id,
    cascadeId,
    customerId,
    currency,
    autopayInvoiceId,
    collectionAttemptId,
    attempt: payment.attempt + 1,
    isCascading: true,
  });
  insertPayments(tx, [row], time.now);
  return true;
}

type Kept = Pick<
  PaymentInsert,
  | 'effectiveDate'
  | 'namedInvoiceIds'
  | 'isSystemPayment'
  | 'isProcessedByBillingRun'
  | 'baseUserId'
  | 'notes'
  | 'invoiceText'
  | 'purchaseDescription'
  | 'isRetry'
>;

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
  insertResult(tx, {
    paymentId: call.paymentId,
    processor: call.gateway,
    processorRequestType: call.operation,
    transactionId: answer.transactionId,
    isSuccess,
    isError: false,
    errorCode: answer.errorCode,
    errorMessage: answer.errorMessage,
    isHardDecline: answer.isHardDecline,
    statusCode: answer.outcome,
    statusMessage: answer.statusMessage,
    amount: call.amount,
    secondaryAmount,
    currency: call.currency,
    avsCode: answer.avsCode,
    cvvCode: answer.cvvCode,
    approvalCode: answer.approvalCode,
    responseTimeMs: answer.responseMs,
    createdAt: time.now,
  });
}
