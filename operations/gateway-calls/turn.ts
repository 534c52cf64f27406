/**
 * Takes a payment's turn: one payment of a customer is at the gateway at a time, for the present
 * open amount.
 */
import { negate, type Decimal } from '../../domain/money/money.ts';
import type { Happened, Transition } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { amountOfNaming, type Uncharged } from '../../domain/payments/turn.ts';
import { hasEnabledPlan } from '../../db/queries/collection/attempts.ts';
import { insertResult } from '../../db/queries/payments/write.ts';
import { setAsideByProcessing } from '../allocation/set-aside.ts';
import type { OperationContext } from '../context/context.ts';
import { carryOut } from '../collection/carry-out.ts';
import type { PendingPayment } from './cascade.ts';
import { installmentNow } from '../collection/installments.ts';
import { columnsOfStored, methodOnFile } from '../payment-methods/methods-on-file.ts';
import { planShares } from '../refunds/refund.ts';
import { callOf, type Reserved } from './reserved.ts';

/** @param waiting a pending payment in the phase Waiting */
export async function turnOf(
  context: OperationContext,
  waiting: PendingPayment,
): Promise<Reserved> {
  const amount = await amountNow(context, waiting);
  if (typeof amount !== 'string') return uncharged(context, waiting, amount);
  const method = await methodNow(context, waiting);
  if (method !== null && 'kind' in method) return uncharged(context, waiting, method);
  const payment = { ...waiting, ...method, amount };
  if (waiting.isBehind) return { kind: 'turn', payment };
  const transition = paymentAfter(waiting, { happened: 'turn', amount });
  const isSame = method?.paymentMethodId === waiting.paymentMethodId;
  const change = { payment: waiting, transition, method: isSame ? null : method };
  await carryOut(context, { payments: [change] });
  const charging = { ...payment, ...transition.state };
  if (charging.type === 'Refund') {
    const refund = { ...charging, amount: negate(charging.amount) };
    if (!(await planShares(context, refund))) return noLongerThere(context, charging);
  }
  return callOf(context, charging, false);
}

/**
 * The amount to charge now, or why nothing is: the named invoices are paid, or would be by payments
 * in processing, or the customer has a payment plan. An installment charges at most what is owed.
 */
async function amountNow(
  context: OperationContext,
  payment: PendingPayment,
): Promise<Decimal | Uncharged> {
  const { tx } = context;
  const { type, namedInvoiceIds: named, amount, customerId } = payment;
  if (type !== 'Payment') return amount;
  if (named.length === 0) {
    if (payment.collectionAttemptId === null) return amount;
    return (await installmentNow(context, payment)) ?? { kind: 'nothingOwed' };
  }
  const [[customer], rows, setAside] = await Promise.all([
    tx.query<{ hasPlan: boolean }>(
      `select ${hasEnabledPlan('p')} as has_plan from payment p where p.id = $1`,
      [payment.id],
      'has-plan-now',
    ),
    tx.query<{ id: number; open: Decimal }>(
      `select i.id, i.outstanding_balance as open from invoice i
       where i.id = any($1) and i.status = 'Outstanding'`,
      [named],
      'still-open',
    ),
    setAsideByProcessing(tx, [customerId]),
  ]);
  const isAutomatic = payment.autopayInvoiceId !== null;
  return amountOfNaming(
    {
      amount,
      isAutomatic,
      isOfPage: payment.page?.by === 'selfService',
      hasPlan: customer?.hasPlan === true,
    },
    rows.map(({ id, open }) => ({ open, setAside: setAside.get(id) })),
  );
}

/**
 * The method of a retry is chosen in its turn: one that a gateway has declined for ever, or that
 * was replaced since the claim, is not used. Null for payments that keep their method.
 */
async function methodNow({ tx }: OperationContext, payment: PendingPayment) {
  const { isRetry, id, cascadeId, customerId, autopayPreference: preference } = payment;
  if (!isRetry) return null;
  const isFirst = id === cascadeId;
  const method = await methodOnFile(tx, customerId, isFirst ? 1 : (preference ?? 1), 'retry');
  return method ? columnsOfStored(method) : ({ kind: 'noMethod' } as const);
}

const whyUncharged: Readonly<Record<Uncharged['kind'], string>> = {
  paid: 'the invoices that it names have nothing open',
  setAside: 'the invoices that it names have nothing left beside a payment in processing',
  planEnabled: 'the customer has a payment plan, whose installments pay',
  nothingOwed: 'nothing is owed, or the payment plan has ended',
  noMethod: 'no payment method on file may be tried again',
};

/** Cancels a payment that charges nobody in its turn. */
async function uncharged(
  context: OperationContext,
  payment: PendingPayment,
  why: Uncharged,
): Promise<Reserved> {
  const { state } = await conclude(context, payment, { happened: 'uncharged', why });
  const did = `was canceled: ${whyUncharged[why.kind]}`;
  return { kind: 'final', payment: { ...payment, ...state }, did };
}

const tooLate = {
  processorRequestType: 'refund',
  isSuccess: false,
  isError: false,
  isHardDecline: false,
  errorCode: 'refund_too_high',
  errorMessage: 'The money was refunded, or its payment was cancelled, meanwhile.',
  statusCode: 'declined',
  statusMessage: null,
  transactionId: null,
  secondaryAmount: '0',
  avsCode: null,
  cvvCode: null,
  approvalCode: null,
  responseTimeMs: null,
} as const;

/** Declines a refund whose money another refund returned while it waited. */
async function noLongerThere(
  context: OperationContext,
  payment: PendingPayment,
): Promise<Reserved> {
  const { id, gateway, amount, currency } = payment;
  if (gateway !== null) {
    const row = { paymentId: id, processor: gateway, amount: negate(amount), currency };
    insertResult(context.tx, { ...row, ...tooLate, createdAt: context.time.now });
  }
  const { state } = await conclude(context, payment, { happened: 'tooLate' });
  return { kind: 'final', payment: { ...payment, ...state } };
}

async function conclude(
  context: OperationContext,
  payment: PendingPayment,
  happened: Happened,
): Promise<Transition> {
  const transition = paymentAfter(payment, happened);
  await carryOut(context, { payments: [{ payment, transition }] });
  return transition;
}
