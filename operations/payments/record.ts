/** Records the outcome of a payment or credit: ledger, allocation, nudges. */
import { compare } from '../../domain/money/money.ts';
import { invoiceAfter } from '../../domain/invoices/state.ts';
import type { Charged, PaymentState, Transition } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { credited } from '../../domain/payments/transitions.ts';
import {
  readInvoices,
  writeInvoices,
  type InvoiceChoice,
} from '../../db/queries/invoices/invoices.ts';
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
  await noAutopay(context, payment);
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
async function noAutopay(
  { tx, time }: OperationContext,
  { cascade_id, customer_id }: InCascade,
): Promise<void> {
  const made = await readInvoices(tx, {
    name: 'autopay-no-more',
    where: `i.customer_id = $1 and i.autopay_after_payment_id = $2 and not i.autopay_set_aside`,
    values: [customer_id, cascade_id],
  });
  const changes = made.map((invoice) => ({
    invoice,
    transition: invoiceAfter(invoice, { happened: 'itsPaymentPaid' }),
  }));
  writeInvoices(tx, changes, time.now);
}

type InCascade = Pick<RecordedPayment, 'cascade_id' | 'customer_id'>;

/** The cascade failed: autopay applies to the invoices made for it as to any others. */
export async function recordGivenUp(
  context: OperationContext,
  { cascade_id, customer_id }: InCascade,
): Promise<void> {
  await releaseInvoices(context, {
    name: 'autopay-as-usual',
    where: `i.customer_id = $1 and i.autopay_after_payment_id = $2 and i.autopay_on is not null`,
    values: [customer_id, cascade_id],
  });
}

/** Autopay pays them on their day, as it would have without the payment that they waited for. */
async function releaseInvoices(context: OperationContext, choice: InvoiceChoice): Promise<void> {
  const { tx, time } = context;
  const released = (await readInvoices(tx, choice)).map((invoice) => ({
    invoice,
    transition: invoiceAfter(invoice, { happened: 'released' }),
  }));
  writeInvoices(tx, released, time.now);
  const paying = released.filter(({ transition }) => transition.paysItself);
  for (const { invoice, transition } of paying) {
    const { autopayOn } = transition.state;
    const isToday = autopayOn !== null && autopayOn <= time.today;
    if (isToday) await claimAutopay(context, { invoiceId: invoice.id });
  }
  // The workflows of their orders wait for the invoices of a later day.
  const orderIds = new Set(paying.flatMap(({ invoice }) => invoice.order_id ?? []));
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
  await releaseInvoices(context, {
    name: 'release-set-aside',
    where: 'i.customer_id = $1 and i.autopay_set_aside',
    values: [customerId],
  });
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
  if (!isDebit) await noAutopay(context, credit);
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
