/** Records the outcome of a payment or credit: ledger, allocation, nudges. */
import { compare, negate, sum } from '../../domain/money/money.ts';
import type { Decimal, IsoDate } from '../../domain/model.ts';
import { enterPayments, putOnFile, type PaymentEntry } from '../../db/queries/payments/write.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { allocateUnapplied } from '../allocation/allocate.ts';
import { claimAutopay } from '../collection/autopay.ts';

/** The fields of an inserted or read payment. */
export interface RecordedPayment {
  readonly id: number;
  readonly cascade_id: number;
  readonly customer_id: number;
  readonly currency: string;
  /** The surcharge included. */
  readonly amount: Decimal;
  readonly surcharge: Decimal;
  readonly payment_method_id: number | null;
  readonly save_as_preference: number | null;
}

/** The gateway's data about an approved charge. */
export interface Charged {
  readonly transactionId: string | null;
  /** The day on which the gateway will have more to say. */
  readonly newsOn?: IsoDate | null;
}

/**
 * Records received money: balance, ledger, applications, the method on file. This transaction must
 * have locked the customer.
 */
export async function recordPaid(
  context: OperationContext,
  payment: RecordedPayment,
  charged: Charged | null = null,
): Promise<void> {
  const { tx, time } = context;
  const { id, customer_id, currency, surcharge } = payment;
  const paid = sum([payment.amount, negate(surcharge)]);
  tx.send(
    `update payment set status = 'Paid', phase = null, balance = $2,
       transaction_id = coalesce($3, transaction_id), charged_on = $4, gateway_news_on = $6,
       version = version + 1, updated_at = $5 where id = $1`,
    [
      id,
      paid,
      charged?.transactionId ?? null,
      charged === null ? null : time.today,
      time.now,
      charged?.newsOn ?? null,
    ],
    'payment-paid',
  );
  const entry = { customer_id, currency, payment_id: id };
  const entries: PaymentEntry[] = [{ ...entry, kind: 'payment', amount: negate(paid) }];
  if (compare(surcharge, '0') > 0) {
    entries.push({ ...entry, kind: 'surcharge', amount: surcharge });
    entries.push({ ...entry, kind: 'surchargePaid', amount: negate(surcharge) });
  }
  enterPayments(tx, entries, time);
  const { payment_method_id: methodId, save_as_preference: preference } = payment;
  if (methodId !== null && preference !== null) {
    putOnFile(tx, { customerId: customer_id, methodId, preference }, time.now);
  }
  noAutopay(context, payment);
  raise(context, [{ type: 'payment.success', customerId: customer_id, objectId: id }]);
  await allocateUnapplied(context, [customer_id]);
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
  { id, customer_id }: Pick<RecordedPayment, 'id' | 'customer_id'>,
  { transactionId, newsOn = null }: Charged = { transactionId: null },
): Promise<void> {
  const { tx, time } = context;
  tx.send(
    `update payment set phase = 'Processing', transaction_id = $2, gateway_news_on = $3,
       version = version + 1, updated_at = $4 where id = $1`,
    [id, transactionId, newsOn, time.now],
    'payment-processing',
  );
  await callNext(context, customer_id);
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

/** A positive credit is money; a negative one, a debit, is owed until money is allocated to it. */
export async function recordCredit(
  context: OperationContext,
  credit: RecordedPayment,
): Promise<void> {
  const { tx, time } = context;
  const { id, customer_id, currency, amount } = credit;
  const isDebit = compare(amount, '0') < 0;
  tx.send('update payment set balance = amount where id = $1', [id], 'credit-balance');
  const kind = isDebit ? 'debit' : 'credit';
  const entry = { customer_id, currency, kind, amount: negate(amount), payment_id: id } as const;
  enterPayments(tx, [entry], time);
  if (!isDebit) noAutopay(context, credit);
  raise(context, [{ type: 'credit.created', customerId: customer_id, objectId: id }]);
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
