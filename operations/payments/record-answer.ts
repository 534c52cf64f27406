/** Records how a gateway's call ended: once, whoever comes with the answer. */
import type { GatewayAnswer } from '../../providers/gateway/gateway.ts';
import { insertPayments, insertResult } from '../../db/queries/payment-write.ts';
import { takeIds } from '../../db/queries/billing-write.ts';
import type { Nudge } from '../outbox.ts';
import { working, type Services, type Work } from '../services.ts';
import type { Call } from './call.ts';
import { latestOf, lockChain, noLongerCarried, type PendingPayment } from './chain.ts';
import { closeDifference, noteLateApproval } from './findings.ts';
import { columnsOfStored, methodOnFile } from './methods-on-file.ts';
import { callNext, recordGivenUp, recordPaid } from './record.ts';

export interface RecordedAnswer extends GatewayAnswer {
  readonly responseMs: number | null;
  /** Why somebody answered for the gateway. */
  readonly statusMessage: string | null;
}

export interface Recorded {
  /** The cascade's newest attempt. */
  readonly payment: PendingPayment;
  /** What was enqueued, for its own process to deliver at once. */
  readonly nudges: readonly Nudge[];
  /** An approval that came too late, in words: to be raised. */
  readonly late?: string | undefined;
}

/** What is not under way any more does not change. */
export function recordAnswer(
  services: Services,
  tenantId: number,
  call: Call,
  answer: RecordedAnswer,
): Promise<Recorded> {
  return working(services, tenantId, async (work) => {
    const payment = await lockChain(work, call.chainId);
    if (payment.id !== call.paymentId || payment.phase !== 'Charging') {
      return { payment, nudges: work.nudges, late: await noteLate(work, call, answer) };
    }
    let late: string | undefined;
    if (call.operation === 'charge') await recordCharge(work, payment, call, answer);
    else late = await recordShare(work, call, answer);
    if (answer.statusMessage !== null) closeDifference(work, call, answer.statusMessage);
    const latest = await latestOf(work, call.chainId);
    if (latest.status !== 'Pending') noLongerCarried(work, call.chainId);
    return { payment: latest, nudges: work.nudges, late };
  });
}

/** What somebody answered for the gateway, once it is not asked any more, is no news of the gateway. */
async function noteLate(
  work: Work,
  call: Call,
  answer: RecordedAnswer,
): Promise<string | undefined> {
  return answer.statusMessage === null ? noteLateApproval(work, call, answer) : undefined;
}

async function recordCharge(
  work: Work,
  payment: PendingPayment,
  call: Call,
  answer: RecordedAnswer,
): Promise<void> {
  noteResult(work, call, answer, payment.surcharge);
  if (answer.outcome === 'approved') {
    await recordPaid(work, payment, { transactionId: answer.transactionId });
  } else {
    work.tx.send(
      `update payment set status = 'Declined', phase = null, version = version + 1,
         updated_at = $2 where id = $1`,
      [payment.id, work.moment.now],
      'payment-declined',
    );
    if (!(await tryNextMethod(work, payment))) await recordGivenUp(work, payment);
  }
  await callNext(work, payment.customer_id);
}

/** The next method on file makes a payment of its own; false where there is none. */
async function tryNextMethod(work: Work, payment: PendingPayment): Promise<boolean> {
  const { tx, moment } = work;
  const { autopay_preference: preference, customer_id } = payment;
  if (!payment.is_cascading || preference === null) return false;
  const next = await methodOnFile(tx, customer_id, preference + 1);
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
  const { chain_id, payment_type, currency, amount, surcharge, autopay_invoice_id } = payment;
  const shared = { chain_id, payment_type, currency, amount, surcharge, autopay_invoice_id };
  const attempt = payment.attempt + 1;
  const row = { ...declined, ...shared, ...columnsOfStored(next), id, attempt, customer_id };
  insertPayments(
    tx,
    [{ ...row, status: 'Pending', phase: 'Waiting', is_cascading: true, save_as_preference: null }],
    moment.now,
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

/** The refund is concluded when it finds no share left to ask for. */
async function recordShare(
  work: Work,
  call: Call,
  answer: RecordedAnswer,
): Promise<string | undefined> {
  if (call.operation === 'charge') return undefined;
  const recorded = await work.tx.query(
    `update refund_share set status = $2, transaction_id = $3
     where id = $1 and status = 'Pending' returning id`,
    [call.shareId, answer.outcome === 'approved' ? 'Paid' : 'Declined', answer.transactionId],
    'share-answered',
  );
  if (recorded.length === 0) return noteLate(work, call, answer);
  noteResult(work, call, answer, '0');
  return undefined;
}

function noteResult(
  { tx, moment }: Work,
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
    moment.now,
  );
}
