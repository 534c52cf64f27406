/**
 * Cancels a payment that failed after the fact (a chargeback, a bounced check), without moving
 * money.
 */
import assert from 'node:assert';
import type { PaymentState } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { stateColumns } from '../../db/queries/payments/payments.ts';
import { lockPayment } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { carryOut } from '../collection/carry-out.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** Throws payment.unknown (also for a credit or refund), or payment.notCancellable. */
export async function cancelPayment(context: OperationContext, paymentId: number): Promise<void> {
  await lockPayment(context.tx, paymentId);
  const payment = await lockedPayment(context, paymentId);
  const transition = paymentAfter(payment, { happened: 'canceled' });
  await carryOut(context, { payments: [{ payment, transition }] });
}

interface LockedPayment
  extends PaymentState, RowOf<typeof Payment, 'id' | 'customerId' | 'currency' | 'balance'> {}

async function lockedPayment({ tx }: OperationContext, id: number): Promise<LockedPayment> {
  const [payment] = await tx.query<LockedPayment & Record<string, unknown>>(
    `select p.id, p.customer_id, p.currency, p.balance, ${stateColumns('p')}
     from payment p where p.id = $1 for no key update of p`,
    [id],
    'payment-to-cancel',
  );
  assert(payment, 'the address of the payment was found');
  return payment;
}
