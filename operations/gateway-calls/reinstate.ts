/** Records the reinstatement of a withdrawal, after a dispute was won. */
import type { Decimal } from '../../domain/model.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { insertPayments, type PaymentInsert } from '../../db/queries/payments/write.ts';
import type { Withdrawal } from '../../providers/gateway/gateway.ts';
import type { OperationContext } from '../context/context.ts';
import { recordPaid } from '../payments/record.ts';

/** The withdrawal as it is stored. */
export interface KnownWithdrawal {
  readonly id: number;
  readonly covered: Decimal;
  readonly is_reinstated: boolean;
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
  const { transaction_id: transactionId, ...paidBy } = kept;
  const row: PaymentInsert = {
    ...paidBy,
    id,
    cascade_id: id,
    attempt: 1,
    payment_type: 'Payment',
    status: 'Paid',
    phase: null,
    autopay_preference: null,
    is_cascading: false,
    save_as_preference: null,
    amount: known.covered,
    surcharge: '0',
    effective_date: time.today,
    named_invoice_ids: [],
    autopay_invoice_id: null,
    is_system_payment: true,
    is_processed_by_billing_run: false,
    base_user_id: null,
    notes: `Dispute ${withdrawal.ref} over payment ${paymentId} was won`,
    invoice_text: null,
    purchase_description: null,
  };
  insertPayments(tx, [row], time.now);
  tx.send(
    'update payment_withdrawal set reinstated_payment_id = $2 where id = $1',
    [known.id, id],
    'note-reinstated',
  );
  await recordPaid(context, row, { transactionId });
}

type PaidBy = Pick<
  PaymentInsert,
  | 'customer_id'
  | 'currency'
  | 'gateway'
  | 'payment_method_id'
  | 'payment_method_type'
  | 'payment_method_context'
> & { readonly transaction_id: string | null };
