/** Reads what decides about the next step of a sign-up. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { PaymentStatus } from '../../domain/payments/allocation.ts';
import { stateOfInvoices, openSum, type SignupInvoice } from '../../domain/signups/price-moved.ts';
import type { SignupFacts } from '../../domain/signups/step.ts';
import type { OperationContext } from '../context/context.ts';
import type { SignupRow } from './signup-row.ts';
import { isAbandoned } from './take.ts';
import { stateOf } from './write.ts';

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

/* Reads the invoices of a sign-up. */

/** In the order of their numbers. */
export async function readSignupInvoices(
  tx: Pick<Tx, 'tenantId' | 'query'>,
  ids: readonly number[],
): Promise<SignupInvoice[]> {
  if (ids.length === 0) return [];
  return tx.query<SignupInvoice & Record<string, unknown>>(
    `select id, status, outstanding_balance as open, current_amount_due as due from invoice
     where tenant_id = $1 and id = any($2) order by invoice_number, id`,
    [tx.tenantId, ids],
    'invoices-of-signup',
  );
}

/** What is open of them in all. */
export async function openOf(tx: Tx, ids: readonly number[]): Promise<Decimal> {
  return openSum(await readSignupInvoices(tx, ids));
}
