/**
 * Reserves a payment for a step at its gateway: in its turn, or after a crash interrupted a step.
 */
import { hasEnabledPlan } from '../../db/queries/collection/attempts.ts';
import { insertResult } from '../../db/queries/payments/write.ts';
import { negate, type Decimal } from '../../domain/money/money.ts';
import type { Happened, Transition, WaitEnd } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { amountOfNaming, type Uncharged } from '../../domain/payments/turn.ts';
import { agreedOf, isWaitOver, waitsUntil } from '../../domain/payments/waiting.ts';
import type { WaitingCall } from '../../providers/gateway/gateway.ts';
import { setAsideByProcessing } from '../allocation/set-aside.ts';
import { carryOut } from '../collection/carry-out.ts';
import { installmentNow } from '../collection/installments.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import type { Nudge } from '../context/nudge.ts';
import { columnsOfStored, untriedMethod } from '../payment-methods/methods-on-file.ts';
import { becomeProcessing } from '../payments/record.ts';
import { concludeRefund, planShares } from '../refunds/refund.ts';
import {
  processingCall,
  type Call,
  type ChargeOfPayment,
  chargeCall,
  returnCall,
  waitingCall,
} from './call.ts';
import {
  lockCascade,
  noLongerCarried,
  paymentOf,
  type PendingPayment,
  latestOf,
} from './cascade.ts';
import { type Held, findingCodes, heldBy, openFindingOf, putOffBy } from './findings.ts';
import { newsOf, type News } from './news.ts';

export interface Reservation {
  readonly reserved: Reserved;
  /** The enqueued nudges, which this process delivers at once. */
  readonly nudges: readonly Nudge[];
}

/**
 * Takes the turn, or finds that the payment has it already, after a possible crash during a call.
 */
export function reserve(
  dependencies: Dependencies,
  tenantId: number,
  cascadeId: number,
): Promise<Reservation> {
  return inOperation(dependencies, tenantId, async (context) => {
    const reserved = await stepOf(context, await lockCascade(context, cascadeId));
    if (reserved.kind === 'final') noLongerCarried(context, reserved.payment);
    return { reserved, nudges: context.nudges };
  });
}

async function stepOf(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  if (payment.status === 'ActionRequired') return waitingForPayer(context, payment);
  if (payment.status !== 'Pending') return ended(context, payment);
  if (payment.phase === 'Charging') return leftBehind(context, payment);
  if (payment.phase === 'Processing') return stillProcessing(context, payment);
  return turnOf(context, payment);
}

async function ended(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  const news = await newsOf(context, payment);
  if (news !== undefined) return { kind: 'news', payment, news };
  const found = await openFindingOf(context.tx, payment.cascadeId);
  if (found === undefined) return { kind: 'final', payment };
  const failureCode = findingCodes[found.kind];
  return { kind: 'final', payment, did: `is final, but ${found.detail}`, failureCode };
}

async function leftBehind(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  const left = await callOf(context, payment, true);
  const why = left.kind === 'call' ? await heldBy(context.tx, left.call) : undefined;
  return why === undefined ? left : { kind: 'held', payment, why };
}

async function stillProcessing(
  context: OperationContext,
  payment: PendingPayment,
): Promise<Reserved> {
  const call = await processingCall(context, payment);
  if (!call) return concluded(context, payment);
  const why = await heldBy(context.tx, call);
  if (why !== undefined) return { kind: 'held', payment, why };
  return { kind: 'call', payment, call, mayHaveBeenSent: true };
}

/**
 * It is ended once its time is over, once nothing is open of what it names, or once a payment plan is
 * enabled; until then its gateway is asked about it.
 */
async function waitingForPayer(
  context: OperationContext,
  payment: PendingPayment,
): Promise<Reserved> {
  const { time, tenant, realNow } = context;
  const call = await waitingCall(context, payment);
  const held = await heldBy(context.tx, call);
  if (held !== undefined) return { kind: 'held', payment, why: held };
  const isOver = isWaitOver(payment, { today: time.today, realNow });
  const why = isOver ? null : await endOfWait(context, payment);
  if (why !== undefined) return { kind: 'end', payment, call, why };
  const until = waitsUntil(payment, tenant.timezone) ?? undefined;
  return { kind: 'call', payment, call, mayHaveBeenSent: true, until };
}

/** Why it need not wait any longer; undefined if it does. */
async function endOfWait(
  context: OperationContext,
  payment: PendingPayment,
): Promise<WaitEnd | undefined> {
  const now = await amountNow(context, payment);
  if (typeof now === 'string') return undefined;
  switch (now.kind) {
    case 'planEnabled':
      return 'planEnabled';
    case 'paid':
    case 'nothingOwed':
      return 'nothingOpen';
    case 'setAside':
    case 'noMethod':
      return undefined;
  }
}

/**
 * What a payment that waits for its payer would charge if he confirmed it now; null if it need not
 * wait any longer.
 */
export async function agreedNow(
  context: OperationContext,
  payment: PendingPayment,
): Promise<Decimal | null> {
  if ((await endOfWait(context, payment)) !== undefined) return null;
  const { tx } = context;
  const { namedInvoiceIds: named } = payment;
  if (named.length === 0) {
    const now = await amountNow(context, payment);
    return typeof now === 'string' ? now : null;
  }
  const [row] = await tx.query<{ open: Decimal }>(
    `select coalesce(sum(i.outstanding_balance), 0) as open from invoice i
     where i.id = any($1) and i.status = 'Outstanding'`,
    [named],
    'open-of-waiting',
  );
  return agreedOf(payment, row?.open ?? '0');
}

/** The call of a cascade without an answer, after a crash or a lost answer; else null. */
export function interruptedCall(
  dependencies: Dependencies,
  tenantId: number,
  cascadeId: number,
): Promise<{ readonly payment: PendingPayment; readonly call: Call | null }> {
  return inOperation(dependencies, tenantId, async (context) => {
    const payment = await lockCascade(context, cascadeId);
    if (payment.phase === 'Processing') {
      return { payment, call: (await processingCall(context, payment)) ?? null };
    }
    if (payment.status === 'ActionRequired') {
      return { payment, call: await waitingCall(context, payment) };
    }
    if (payment.phase !== 'Charging') return { payment, call: null };
    const reserved = await callOf(context, payment, true);
    return { payment, call: reserved.kind === 'call' ? reserved.call : null };
  });
}

/* The result of reserving a payment, and its gateway call. */

export type Reserved =
  /** Nothing is left to do; `did` describes what was just done or found. */
  | {
      readonly kind: 'final';
      readonly payment: PendingPayment;
      readonly did?: string;
      readonly failureCode?: string;
    }
  | Held
  /** Another payment of the customer is with the gateway. */
  | { readonly kind: 'turn'; readonly payment: PendingPayment }
  /** Others that name one of its invoices wait for their payer, and are ended first. */
  | {
      readonly kind: 'others';
      readonly payment: PendingPayment;
      readonly calls: readonly (ChargeOfPayment & WaitingCall)[];
    }
  /** It waits for its payer no longer; null if its time is over. */
  | {
      readonly kind: 'end';
      readonly payment: PendingPayment;
      readonly call: ChargeOfPayment & WaitingCall;
      readonly why: WaitEnd | null;
    }
  /** The payment is final, but its gateway may have changes. */
  | { readonly kind: 'news'; readonly payment: PendingPayment; readonly news: News }
  /** The gateway has just accepted all calls, but their outcome is open. */
  | { readonly kind: 'accepted'; readonly payment: PendingPayment }
  /** The call is due; `mayHaveBeenSent` if a crashed process may have sent it. */
  | {
      readonly kind: 'call';
      readonly payment: PendingPayment;
      readonly call: Call;
      readonly mayHaveBeenSent: boolean;
      /** It waits for its payer until then. */
      readonly until?: Date | undefined;
    };

/** The call of a payment that has its turn. A refund without remaining shares is concluded. */
export async function callOf(
  context: OperationContext,
  payment: PendingPayment,
  mayHaveBeenSent: boolean,
): Promise<Reserved> {
  if (payment.type === 'Refund') {
    const call = await returnCall(context, payment);
    if (call) return { kind: 'call', payment, call, mayHaveBeenSent };
    return (await processingCall(context, payment))
      ? accepted(context, payment)
      : concluded(context, payment);
  }
  return { kind: 'call', payment, call: await chargeCall(context, payment), mayHaveBeenSent };
}

/** All shares of a refund are sent; some take days. */
async function accepted(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  const state = await becomeProcessing(context, payment);
  return { kind: 'accepted', payment: { ...payment, ...state } };
}

async function concluded(context: OperationContext, payment: PendingPayment): Promise<Reserved> {
  await concludeRefund(context, payment);
  return { kind: 'final', payment: await latestOf(context, payment.cascadeId) };
}

/*
 * Takes a payment's turn: one payment of a customer is at the gateway at a time, for the present
 * open amount.
 */

/** @param waiting a pending payment in the phase Waiting */
async function turnOf(context: OperationContext, waiting: PendingPayment): Promise<Reserved> {
  const amount = await amountNow(context, waiting);
  if (typeof amount !== 'string') return uncharged(context, waiting, amount);
  const method = await methodNow(context, waiting);
  if (method !== null && 'kind' in method) return uncharged(context, waiting, method);
  const payment = { ...waiting, ...method, amount };
  if (waiting.isBehind) return { kind: 'turn', payment };
  const held = await putOffBy(context.tx, payment);
  if (held !== undefined) return held;
  if (waiting.isOtherWaiting)
    return { kind: 'others', payment, calls: await others(context, waiting) };
  const transition = paymentAfter(waiting, { happened: 'turn', amount });
  const isSame = method?.paymentMethodId === waiting.paymentMethodId;
  const change = { payment: waiting, transition, method: isSame ? null : method };
  await carryOut(context, { payments: [change] });
  const charging = { ...payment, ...transition.state };
  if (charging.type === 'Refund') {
    const refund = { ...charging, amount: negate(charging.amount) };
    if (!(await planShares(context, refund))) return noLongerThere(context, charging);
  }
  return callOf(context, charging, waiting.isRestored);
}

/** The calls of payments that wait for their payer, and name an invoice that this one names. */
async function others(
  context: OperationContext,
  { customerId, namedInvoiceIds: named }: PendingPayment,
): Promise<(ChargeOfPayment & WaitingCall)[]> {
  const rows = await context.tx.query<{ id: number }>(
    `select id from payment
     where customer_id = $1 and status = 'ActionRequired' and named_invoice_ids && $2 order by id`,
    [customerId, named],
    'others-waiting',
  );
  const calls: (ChargeOfPayment & WaitingCall)[] = [];
  for (const { id } of rows) {
    calls.push(await waitingCall(context, await paymentOf(context, id)));
  }
  return calls;
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
      isLimited: payment.page?.by === 'selfService' || payment.isRetry,
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
  if (!payment.isRetry) return null;
  const method = await untriedMethod(tx, payment, { but: payment.id });
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
