/**
 * Cancels a payment that failed after the fact (a chargeback, a bounced check), without moving
 * money.
 */
import { DomainError } from '../../domain/errors.ts';
import type { Decimal } from '../../domain/model.ts';
import { negate, sum } from '../../domain/money/money.ts';
import type { PaymentStatus } from '../../domain/payments/allocation.ts';
import { enterPayments } from '../../db/queries/payments/write.ts';
import { lockPayment } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { allocateUnapplied } from '../allocation/allocate.ts';
import { reverseAllocations } from '../allocation/reverse.ts';

interface CancelledRow {
  readonly id: number;
  readonly status: PaymentStatus;
  readonly customer_id: number;
  readonly currency: string;
  readonly amount: Decimal;
  readonly surcharge: Decimal;
  readonly refunded: Decimal;
  readonly withdrawn: Decimal;
  /**
   * A refund that is at the gateway takes from the payment; its shares are recorded after the last
   * call.
   */
  readonly is_going_back: boolean;
}

/** Throws payment.unknown (also for a credit or refund), or payment.notCancellable. */
export async function cancelPayment(context: OperationContext, paymentId: number): Promise<void> {
  const { tx, time } = context;
  await lockPayment(tx, paymentId);
  const payment = await cancellable(context, paymentId);
  const { id, customer_id, currency } = payment;
  await reverseAllocations(context, { paymentId: id });
  tx.send(
    `update payment set status = 'Canceled', balance = 0, version = version + 1, updated_at = $2
     where id = $1`,
    [id, time.now],
    'cancel-payment',
  );
  const { surcharge, refunded, withdrawn } = payment;
  const amount = sum([payment.amount, ...[surcharge, refunded, withdrawn].map(negate)]);
  const entry = { customer_id, currency, kind: 'paymentCanceled', amount, payment_id: id } as const;
  enterPayments(tx, [entry], time);
  await allocateUnapplied(context, [customer_id]);
}

async function cancellable({ tx }: OperationContext, id: number): Promise<CancelledRow> {
  const [payment] = await tx.query<CancelledRow>(
    `select p.id, p.status, p.customer_id, p.currency, p.amount, p.surcharge, p.refunded,
            p.withdrawn,
            exists (select from refund_share s
              join payment r on r.tenant_id = s.tenant_id and r.id = s.refund_id
              where s.tenant_id = p.tenant_id and s.payment_id = p.id
                and r.status = 'Pending') as is_going_back
     from payment p where p.id = $1 for no key update of p`,
    [id],
    'payment-to-cancel',
  );
  if (payment?.status === 'Paid' && !payment.is_going_back) return payment;
  const why =
    payment?.status === 'Paid' ? 'a refund of it is in progress' : `this one is ${payment?.status}`;
  throw new DomainError(
    'payment.notCancellable',
    `only a Paid payment without a refund in progress can be cancelled: ${why}`,
    { value: payment?.status ?? null },
  );
}
