/** Reads the invoices of a sign-up. */
import type { Decimal } from '../../domain/money/money.ts';
import { openSum, type SignupInvoice } from '../../domain/signups/invoices.ts';
import type { Tx } from '../../db/connection/tenancy.ts';

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
