/** What has become of the invoices of a sign-up. */
import type { InvoiceStatus } from '../../domain/invoices/status.ts';
import type { Decimal } from '../../domain/money/decimal.ts';
import { compare, sum } from '../../domain/money/money.ts';
import type { InvoicesNow } from '../../domain/signups/step.ts';
import type { Tx } from '../../db/connection/tenancy.ts';

export interface SignupInvoice {
  readonly id: number;
  readonly status: InvoiceStatus;
  readonly open: Decimal;
  readonly due: Decimal;
}

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

export function openSum(invoices: readonly SignupInvoice[]): Decimal {
  return sum(invoices.filter(isOpen).map(({ open }) => open));
}

export function isOpen({ status, open }: SignupInvoice): boolean {
  return status === 'Outstanding' && compare(open, '0') > 0;
}

/** An invoice that was carried over is owed in other books, so nothing of it is open here. */
export function stateOfInvoices(invoices: readonly SignupInvoice[]): InvoicesNow {
  if (invoices.length === 0) return 'none';
  if (invoices.some(({ status }) => status === 'Cancelled')) return 'cancelled';
  return invoices.some(isOpen) ? 'open' : 'settled';
}
