/** Records credits, and payments that a gateway has accepted. */
import type { Charged, PaymentState } from '../../domain/payments/happened.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { credited } from '../../domain/payments/transitions.ts';
import type { OperationContext } from '../context/context.ts';
import { carryOut, type CarriedPayment } from '../collection/carry-out.ts';

/** An inserted or read payment. */
export interface RecordedPayment extends PaymentState {
  readonly id: number;
  readonly cascadeId: number;
  readonly customerId: number;
  readonly currency: string;
  readonly paymentMethodId: number | null;
  readonly saveAsPreference: number | null;
}

/**
 * Records that the gateway has accepted the call and needs days for its outcome. Meanwhile the
 * customer's other payments take their turns.
 */
export async function becomeProcessing(
  context: OperationContext,
  payment: CarriedPayment,
  charged: Charged = { transactionId: null },
): Promise<PaymentState> {
  const { transactionId, newsOn = null } = charged;
  const transition = paymentAfter(payment, { happened: 'accepted', transactionId, newsOn });
  await carryOut(context, { payments: [{ payment, transition }] });
  return transition.state;
}

/** Records a credit, or a debit, that was inserted with its whole amount. */
export function recordCredit(context: OperationContext, credit: RecordedPayment): Promise<void> {
  const payments = [{ payment: credit, transition: credited(credit.amount) }];
  return carryOut(context, { payments, isInserted: true });
}
