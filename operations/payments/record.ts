/** Enters what came of a payment or credit: the books, what it is applied to, who is told. */
import { compare, negate, sum } from '../../domain/money.ts';
import type { Decimal } from '../../domain/model.ts';
import { enterPayments, putOnFile, type PaymentEntry } from '../../db/queries/payment-write.ts';
import { enqueue } from '../outbox.ts';
import type { Work } from '../services.ts';
import { applyUnapplied } from './apply.ts';
import { claimAutopay } from './autopay.ts';

/** Of a payment as it was inserted or read. */
export interface RecordedPayment {
  readonly id: number;
  readonly chain_id: number;
  readonly customer_id: number;
  readonly currency: string;
  /** The surcharge included. */
  readonly amount: Decimal;
  readonly surcharge: Decimal;
  readonly payment_method_id: number | null;
  readonly save_as_preference: number | null;
}

/** What a gateway says of a charge that it made. */
export interface Charged {
  readonly transactionId: string | null;
}

/**
 * The money is here: balance, ledger, applications, the method on file. Its customer is locked by
 * this transaction.
 */
export async function recordPaid(
  work: Work,
  payment: RecordedPayment,
  charged: Charged | null = null,
): Promise<void> {
  const { tx, moment } = work;
  const { id, customer_id, currency, surcharge } = payment;
  const paid = sum([payment.amount, negate(surcharge)]);
  tx.send(
    `update payment set status = 'Paid', phase = null, balance = $2, transaction_id = $3,
       charged_on = $4, version = version + 1, updated_at = $5 where id = $1`,
    [id, paid, charged?.transactionId ?? null, charged === null ? null : moment.today, moment.now],
    'payment-paid',
  );
  const entry = { customer_id, currency, payment_id: id };
  const entries: PaymentEntry[] = [{ ...entry, kind: 'payment', amount: negate(paid) }];
  if (compare(surcharge, '0') > 0) {
    entries.push({ ...entry, kind: 'surcharge', amount: surcharge });
    entries.push({ ...entry, kind: 'surchargePaid', amount: negate(surcharge) });
  }
  enterPayments(tx, entries, moment);
  const { payment_method_id: methodId, save_as_preference: preference } = payment;
  if (methodId !== null && preference !== null) {
    putOnFile(tx, { customerId: customer_id, methodId, preference }, moment.now);
  }
  noAutopay(work, payment);
  await applyUnapplied(work, [customer_id]);
}

/** What it had made for itself is paid by it, or stays for the customer to pay. */
function noAutopay({ tx }: Work, { chain_id, customer_id }: Chained): void {
  tx.send(
    `update invoice set autopay_on = null, autopay_after_payment_id = null
     where customer_id = $1 and autopay_after_payment_id = $2`,
    [customer_id, chain_id],
    'autopay-no-more',
  );
}

type Chained = Pick<RecordedPayment, 'chain_id' | 'customer_id'>;

/** It pays nothing, being declined to the last: the invoices made for it are paid as any others. */
export async function recordGivenUp(work: Work, { chain_id, customer_id }: Chained): Promise<void> {
  const { tx, moment } = work;
  const released = await tx.query<{ id: number; order_id: number | null; autopay_on: string }>(
    `update invoice set autopay_after_payment_id = null
     where customer_id = $1 and autopay_after_payment_id = $2 and autopay_on is not null
     returning id, autopay_order_id as order_id, autopay_on`,
    [customer_id, chain_id],
    'autopay-as-usual',
  );
  for (const { id, autopay_on } of released) {
    if (autopay_on <= moment.today) await claimAutopay(work, { invoiceId: id });
  }
  // Those of a later day are awaited by their order's workflow.
  const orderIds = new Set(released.map((each) => each.order_id).filter((id) => id !== null));
  enqueue(
    work,
    [...orderIds].map((objectId) => ({ kind: 'order', objectId })),
  );
}

/** A positive credit is money; a negative one, a debit, is owed until money meets it. */
export async function recordCredit(work: Work, credit: RecordedPayment): Promise<void> {
  const { tx, moment } = work;
  const { id, customer_id, currency, amount } = credit;
  const isDebit = compare(amount, '0') < 0;
  tx.send('update payment set balance = amount where id = $1', [id], 'credit-balance');
  const kind = isDebit ? 'debit' : 'credit';
  const entry = { customer_id, currency, kind, amount: negate(amount), payment_id: id } as const;
  enterPayments(tx, [entry], moment);
  if (!isDebit) noAutopay(work, credit);
  await applyUnapplied(work, [customer_id]);
  if (isDebit) await recordGivenUp(work, credit);
}

/** Whoever of this customer waits for its turn looks again. */
export async function callNext(work: Work, customerId: number): Promise<void> {
  const waiting = await work.tx.query<{ chain_id: number }>(
    `select chain_id from payment
     where customer_id = $1 and status = 'Pending' and phase = 'Waiting' order by id limit 1`,
    [customerId],
    'next-in-turn',
  );
  enqueue(
    work,
    waiting.map(({ chain_id: objectId }) => ({ kind: 'payment', objectId })),
  );
}
