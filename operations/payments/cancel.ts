/**
 * Cancels a payment that failed after the fact (a chargeback, a bounced check), without moving
 * money.
 */
import assert from 'node:assert';
import type { PaymentState } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { stateColumns, writePayments } from '../../db/queries/payments/payments.ts';
import { lockPayment } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { allocateUnapplied } from '../allocation/allocate.ts';
import { reverseAllocations } from '../allocation/reverse.ts';

/** Throws payment.unknown (also for a credit or refund), or payment.notCancellable. */
export async function cancelPayment(context: OperationContext, paymentId: number): Promise<void> {
  const { tx, time } = context;
  await lockPayment(tx, paymentId);
  const payment = await lockedPayment(context, paymentId);
  const transition = paymentAfter(payment, { happened: 'canceled' });
  await reverseAllocations(context, { paymentId });
  writePayments(tx, [{ payment, transition }], time);
  await allocateUnapplied(context, [payment.customer_id]);
}

interface LockedPayment extends PaymentState {
  readonly id: number;
  readonly customer_id: number;
  readonly currency: string;
}

async function lockedPayment({ tx }: OperationContext, id: number): Promise<LockedPayment> {
  const [payment] = await tx.query<LockedPayment & Record<string, unknown>>(
    `select p.id, p.customer_id, p.currency, ${stateColumns('p')}
     from payment p where p.id = $1 for no key update of p`,
    [id],
    'payment-to-cancel',
  );
  assert(payment, 'the address of the payment was found');
  return payment;
}
