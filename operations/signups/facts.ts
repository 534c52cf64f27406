/** Reads what decides about the next step of a sign-up. */
import type { PaymentStatus } from '../../domain/payments/allocation.ts';
import type { SignupFacts } from '../../domain/signups/step.ts';
import type { OperationContext } from '../context/context.ts';
import { readSignupInvoices } from './invoices.ts';
import type { SignupRow } from './signup-row.ts';
import { isAbandoned } from './take.ts';
import { stateOf } from './write.ts';
import { stateOfInvoices } from '../../domain/signups/invoices.ts';

export interface SignupNow extends SignupFacts {
  /** Why the gateway has declined the payment of the newest try. */
  readonly declineCode: string | null;
  readonly orderNumber: number | null;
}

export async function factsOf(context: OperationContext, row: SignupRow): Promise<SignupNow> {
  const { tx, realNow } = context;
  const [invoices, [found]] = await Promise.all([
    readSignupInvoices(tx, row.invoiceIds),
    tx.query<{
      payment: PaymentStatus | null;
      declineCode: string | null;
      orderNumber: number | null;
    }>(
      `select (select status from payment where tenant_id = $1 and id = $2) as payment,
              (select error_code from processor_result where tenant_id = $1 and payment_id = $2
               order by id desc limit 1) as decline_code,
              (select order_number from subscription_order where tenant_id = $1 and id = $3)
                as order_number`,
      [tx.tenantId, row.lastTry?.paymentId ?? null, row.orderId],
      'facts-of-signup',
    ),
  ]);
  return {
    ...stateOf(row),
    isOver: realNow >= row.expiresAt,
    isCancelled: row.cancelReason !== null,
    isAbandoned: isAbandoned(context, row),
    isConfirmOver: row.lastTry?.confirmUntil != null && realNow >= row.lastTry.confirmUntil,
    payment: found?.payment ?? null,
    declineCode: found?.declineCode ?? null,
    orderNumber: found?.orderNumber ?? null,
    invoices: stateOfInvoices(invoices),
  };
}
