/** Records the outcome of a payment or credit: ledger, allocation, nudges. */
import { compare } from '../../domain/money/money.ts';
import type { IsoDate } from '../../domain/model.ts';
import type { Charged, PaymentState, Transition } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { credited } from '../../domain/payments/transitions.ts';
import { enterTransitions, writePayments } from '../../db/queries/payments/payments.ts';
import { putOnFile } from '../../db/queries/payments/write.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';
import { raise, type RaisedEvent } from '../events/raise.ts';
import { allocateUnapplied } from '../allocation/allocate.ts';
import { claimAutopay } from '../collection/autopay.ts';

/** An inserted or read payment. */
export interface RecordedPayment extends PaymentState {
  readonly id: number;
  readonly cascade_id: number;
  readonly customer_id: number;
  readonly currency: string;
  readonly payment_method_id: number | null;
  readonly save_as_preference: number | null;
}

/**
 * Records received money: its state and ledger entries, its applications, the method on file. This
 * transaction must have locked the customer.
 */
export async function recordPaid(
  context: OperationContext,
  payment: RecordedPayment,
  transition: Transition,
): Promise<void> {
  const { tx, time } = context;
  const { customer_id } = payment;
  writePayments(tx, [{ payment, transition }], time);
  const { payment_method_id: methodId, save_as_preference: preference } = payment;
  if (methodId !== null && preference !== null) {
    putOnFile(tx, { customerId: customer_id, methodId, preference }, time.now);
  }
  noAutopay(context, payment);
  raiseOf(context, payment, transition);
  await allocateUnapplied(context, [customer_id]);
}

/** Raises the event of a transition. */
export function raiseOf(
  context: OperationContext,
  { id: objectId, customer_id: customerId }: Pick<RecordedPayment, 'id' | 'customer_id'>,
  { raises: type }: Transition,
  detail?: RaisedEvent['detail'],
): void {
  if (type !== null) raise(context, [{ type, customerId, objectId, detail }]);
}

/** The payment pays the invoices made for it; the customer pays the rest by other means. */
function noAutopay({ tx }: OperationContext, { cascade_id, customer_id }: InCascade): void {
  tx.send(
    `update invoice set autopay_on = null, autopay_after_payment_id = null
     where customer_id = $1 and autopay_after_payment_id = $2 and not autopay_set_aside`,
    [customer_id, cascade_id],
    'autopay-no-more',
  );
}

type InCascade = Pick<RecordedPayment, 'cascade_id' | 'customer_id'>;

/** The cascade failed: autopay applies to the invoices made for it as to any others. */
export async function recordGivenUp(
  context: OperationContext,
  { cascade_id, customer_id }: InCascade,
): Promise<void> {
  const released = await context.tx.query<ReleasedInvoice>(
    `update invoice set autopay_after_payment_id = null, autopay_set_aside = false
     where customer_id = $1 and autopay_after_payment_id = $2 and autopay_on is not null
     returning id, autopay_order_id as order_id, autopay_on`,
    [customer_id, cascade_id],
    'autopay-as-usual',
  );
  await payReleased(context, released);
}

interface ReleasedInvoice {
  readonly id: number;
  readonly order_id: number | null;
  readonly autopay_on: IsoDate;
}

/** Autopay pays them on their day, as it would have without the payment that they waited for. */
async function payReleased(
  context: OperationContext,
  released: readonly ReleasedInvoice[],
): Promise<void> {
  const { time } = context;
  for (const { id, autopay_on } of released) {
    if (autopay_on <= time.today) await claimAutopay(context, { invoiceId: id });
  }
  // The workflows of their orders wait for the invoices of a later day.
  const orderIds = new Set(released.map((each) => each.order_id).filter((id) => id !== null));
  enqueue(
    context,
    [...orderIds].map((objectId) => ({ kind: 'order', objectId })),
  );
}

/**
 * Records that the gateway has accepted the call and needs days for its outcome. Meanwhile the
 * customer's other payments take their turns.
 */
export async function becomeProcessing(
  context: OperationContext,
  payment: RecordedPayment,
  charged: Charged = { transactionId: null },
): Promise<PaymentState> {
  const { transactionId, newsOn = null } = charged;
  const transition = paymentAfter(payment, { happened: 'accepted', transactionId, newsOn });
  writePayments(context.tx, [{ payment, transition }], context.time);
  if (transition.freesTurn) await callNext(context, payment.customer_id);
  return transition.state;
}

/**
 * A payment in processing is final, so the payments and invoices that waited for it are processed.
 */
export async function releaseSetAside(
  context: OperationContext,
  customerId: number,
): Promise<void> {
  const released = await context.tx.query<ReleasedInvoice>(
    `update invoice set autopay_after_payment_id = null, autopay_set_aside = false
     where customer_id = $1 and autopay_set_aside
     returning id, autopay_order_id as order_id, autopay_on`,
    [customerId],
    'release-set-aside',
  );
  const open = released.filter(({ autopay_on: day }) => day !== null);
  await payReleased(context, open);
}

/** Records a credit, or a debit, that was inserted with its whole amount. */
export async function recordCredit(
  context: OperationContext,
  credit: RecordedPayment,
): Promise<void> {
  const { tx, time } = context;
  const { customer_id } = credit;
  const isDebit = compare(credit.amount, '0') < 0;
  const transition = credited(credit.amount);
  enterTransitions(tx, [{ payment: credit, transition }], time);
  if (!isDebit) noAutopay(context, credit);
  raiseOf(context, credit, transition);
  await allocateUnapplied(context, [customer_id]);
  if (isDebit) await recordGivenUp(context, credit);
}

/** Nudges what waits for a payment of the customer: its next payment, and a step by age. */
export async function callNext(context: OperationContext, customerId: number): Promise<void> {
  const waiting = await context.tx.query<{ kind: 'payment' | 'dunning'; id: number }>(
    `(select 'payment' as kind, cascade_id as id from payment
      where customer_id = $1 and status = 'Pending' and phase = 'Waiting' order by id limit 1)
     union all
     select 'dunning', customer_id from dunning
     where customer_id = $1 and waits_since is not null`,
    [customerId],
    'next-in-turn',
  );
  enqueue(
    context,
    waiting.map(({ kind, id: objectId }) => ({ kind, objectId })),
  );
}
