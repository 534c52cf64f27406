/** Records the reinstatement of a withdrawal, after a dispute was won. */
import type { Decimal } from '../../domain/money/decimal.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { waiting } from '../../domain/payments/transitions.ts';
import {
  insertPayments,
  newPayment,
  type PaymentInsert,
} from '../../db/queries/payments/new-payments.ts';
import type { Withdrawal } from '../../providers/gateway/gateway.ts';
import type { OperationContext } from '../context/context.ts';
import { carryOut } from '../collection/carry-out.ts';

/** The withdrawal as it is stored. */
export interface KnownWithdrawal {
  readonly id: number;
  readonly covered: Decimal;
  readonly isReinstated: boolean;
}

interface Reinstated {
  readonly paymentId: number;
  readonly withdrawal: Withdrawal;
  readonly known: KnownWithdrawal;
}

/** The reinstated money is a payment of its own, so that it can be refunded. */
export async function reinstate(
  context: OperationContext,
  { paymentId, withdrawal, known }: Reinstated,
): Promise<void> {
  const { tx, time } = context;
  const [id = 0] = await takeIds(tx, 1);
  const [kept] = await tx.query<PaidBy>(
    `select customer_id, currency, gateway, transaction_id, payment_method_id,
            payment_method_type, payment_method_context
     from payment where id = $1`,
    [paymentId],
    'reinstated-by',
  );
  if (!kept) throw new Error(`there is no payment ${paymentId}`);
  const { transactionId, ...paidBy } = kept;
  const row = newPayment(waiting('Payment', { amount: known.covered, surcharge: '0' }), {
    ...paidBy,
    id,
    effectiveDate: time.today,
    isSystemPayment: true,
    notes: `Dispute ${withdrawal.ref} over payment ${paymentId} was won`,
  });
  insertPayments(tx, [row], time.now);
  tx.send(
    'update payment_withdrawal set reinstated_payment_id = $2 where id = $1',
    [known.id, id],
    'note-reinstated',
  );
  const received = { happened: 'received', charged: { transactionId }, today: time.today } as const;
  const transition = paymentAfter(row, received);
  await carryOut(context, { payments: [{ payment: row, transition }] });
}

type PaidBy = Pick<
  PaymentInsert,
  | 'customerId'
  | 'currency'
  | 'gateway'
  | 'paymentMethodId'
  | 'paymentMethodType'
  | 'paymentMethodContext'
> & { readonly transactionId: string | null };
