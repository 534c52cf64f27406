/** Records the outcome of a gateway's call once, whichever process reports it. */
import type { GatewayAnswer } from '../../providers/gateway/gateway.ts';
import type {
  Happened,
  PaymentState,
  WaitEnd,
  WaitsUntil,
} from '../../domain/payments/happened.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { absentUntil, presentUntil, waitsUntil } from '../../domain/payments/waiting.ts';
import { isFinal, isUnderWay, paymentAfter } from '../../domain/payments/state.ts';
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
import { noteBecame } from '../payment-methods/became.ts';
import { noteRenewed } from '../payment-methods/gateway-updates.ts';
import { becomeProcessing } from '../payments/record.ts';

export interface RecordedAnswer extends GatewayAnswer {
  readonly responseMs: number | null;
  /** The reason of a resolution by hand. */
  readonly statusMessage: string | null;
}

/** What the gateway says unasked, or of what it was asked before: its time tells nothing. */
export const asSaid = (answer: GatewayAnswer): RecordedAnswer => ({
  ...answer,
  responseMs: null,
  statusMessage: null,
});

export interface Recorded {
  /** The cascade's newest try. */
  readonly payment: PendingPayment;
  /** The enqueued nudges, which this process delivers at once. */
  readonly nudges: readonly Nudge[];
  /** The message about a late approval, to be reported. */
  readonly late?: string | undefined;
  /** The payment waits for its payer until then. */
  readonly until: Date | null;
}

export interface RecordOptions {
  /** The caller is not the payment's own workflow. */
  readonly isElsewhere?: boolean;
  /** The gateway has ended what waited for its payer, for this reason; null if its time was over. */
  readonly endedFor?: WaitEnd | null | undefined;
  /** A person resolves the call, but the gateway itself said how it ended. */
  readonly isSaid?: boolean;
  /** Called in the transaction that records the answer, with the cascade's newest try. */
  readonly onRecorded?: (context: OperationContext, payment: PendingPayment) => void;
}

/** A final payment does not change. */
export function recordAnswer(
  dependencies: Dependencies,
  tenantId: number,
  call: Call,
  answer: RecordedAnswer,
  options: RecordOptions = {},
): Promise<Recorded> {
  return inOperation(dependencies, tenantId, (context) => recordIn(context, call, answer, options));
}

/** The same, in a transaction that does more. */
export async function recordIn(
  context: OperationContext,
  call: Call,
  answer: RecordedAnswer,
  { isElsewhere = false, endedFor = null, isSaid = false, onRecorded }: RecordOptions = {},
): Promise<Recorded> {
  const payment = await lockCascade(context, call.cascadeId);
  if (payment.id !== call.paymentId || !isUnderWay(payment)) {
    const late = await noteLate(context, call, answer);
    return { payment, nudges: context.nudges, late, until: untilOf(context, payment) };
  }
  let late: string | undefined;
  let state: PaymentState = payment;
  if (call.operation === 'charge') {
    state = await recordCharge(context, payment, { call, answer, endedFor });
  } else late = await recordShare(context, call, answer);
  if (answer.statusMessage !== null) {
    closeDifference(context, call, answer.statusMessage);
    if (!isSaid) await askAfterResolution(context, { ...payment, ...state });
  }
  const latest = await latestOf(context, call.cascadeId);
  const wasWaiting = payment.phase === 'Processing' || payment.status === 'ActionRequired';
  if (isFinal(latest)) {
    const hadWorkflow = isElsewhere && wasWaiting;
    if (hadWorkflow) enqueue(context, [{ kind: 'payment', objectId: call.cascadeId }]);
    else noLongerCarried(context, latest);
  }
  // Its workflow sleeps until the payer comes, or the time is over.
  else if (isElsewhere && payment.status === 'ActionRequired' && answer.outcome !== 'asks') {
    enqueue(context, [{ kind: 'payment', objectId: call.cascadeId }]);
  }
  onRecorded?.(context, latest);
  return { payment: latest, nudges: context.nudges, late, until: untilOf(context, latest) };
}

function untilOf({ tenant }: OperationContext, payment: PendingPayment): Date | null {
  return waitsUntil(payment, tenant.timezone);
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

interface AnsweredCharge {
  readonly call: Call;
  readonly answer: RecordedAnswer;
  readonly endedFor: WaitEnd | null;
}

async function recordCharge(
  context: OperationContext,
  payment: PendingPayment,
  { call, answer, endedFor }: AnsweredCharge,
): Promise<PaymentState> {
  const { transactionId, newsOn = null } = answer;
  noteBecame(context, payment, answer);
  if (answer.outcome === 'asks') {
    if (payment.status === 'ActionRequired') return payment;
    const until = await untilFor(context, payment);
    return become(context, payment, { happened: 'payerAsked', transactionId, until });
  }
  const isEnded = answer.outcome === 'declined' && payment.status === 'ActionRequired';
  if (isEnded && endedFor !== null) {
    return become(context, payment, { happened: 'waitEnded', why: endedFor });
  }
  if (answer.outcome === 'pending') {
    if (payment.phase === 'Processing') return payment;
    return becomeProcessing(context, payment, { transactionId, newsOn });
  }
  noteResult(context, call, answer, payment.surcharge);
  await noteRenewal(context, payment, answer);
  const { today } = context.time;
  const amount = answer.charged ?? null;
  const happened: Happened =
    answer.outcome === 'approved'
      ? { happened: 'approved', transactionId, newsOn, today, amount }
      : { happened: 'declined', isLast: await isLastDecline(context, payment, answer) };
  return become(context, payment, happened);
}

async function become(
  context: OperationContext,
  payment: PendingPayment,
  happened: Happened,
): Promise<PaymentState> {
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

/** A payer who is absent has the tenant's days; of an installment, at most until the next one. */
async function untilFor(
  { tx, time, tenant, realNow }: OperationContext,
  { returnSealed, collectionAttemptId }: PendingPayment,
): Promise<WaitsUntil> {
  if (returnSealed !== null) return presentUntil(realNow);
  const { today } = time;
  const { actionDays } = tenant.gatewaySettings;
  if (collectionAttemptId === null) return absentUntil({ today, actionDays });
  const [next] = await tx.query<{ on: IsoDate | null }>(
    `select min(n.due_on) as on from collection_attempt a
     join collection_attempt n on n.tenant_id = a.tenant_id
       and n.payment_plan_id = a.payment_plan_id and n.attempt = 1 and n.state = 'due'
     where a.id = $1 and n.due_on > $2`,
    [collectionAttemptId, today],
    'installment-after-asked',
  );
  return absentUntil({ today, actionDays, nextInstallmentOn: next?.on ?? null });
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
            base_user_id, notes, invoice_text, purchase_description, metadata, is_retry
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
  | 'metadata'
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

/** Nobody is asked about a refund. */
const shareStatus = {
  approved: 'Paid',
  declined: 'Declined',
  pending: 'Processing',
  asks: 'Processing',
} as const;

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
    amount: answer.charged ?? call.amount,
    secondaryAmount,
    currency: call.currency,
    avsCode: answer.avsCode,
    cvvCode: answer.cvvCode,
    approvalCode: answer.approvalCode,
    responseTimeMs: answer.responseMs,
    createdAt: time.now,
  });
}
