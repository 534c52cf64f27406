/** What has become of the invoices of a sign-up. */
import type { InvoiceStatus } from '../invoices/status.ts';
import { compare, sum, type Decimal } from '../money/money.ts';
import type { InvoicesNow } from './step.ts';

export interface SignupInvoice {
  readonly id: number;
  readonly status: InvoiceStatus;
  readonly open: Decimal;
  readonly due: Decimal;
}

/** What is open of them in all. @example openSum(invoices) // '29.95' */
export function openSum(invoices: readonly SignupInvoice[]): Decimal {
  return sum(invoices.filter(isOpen).map(({ open }) => open));
}

/** @example isOpen({ status: 'Paid', open: '0', ... }) // false */
export function isOpen({ status, open }: SignupInvoice): boolean {
  return status === 'Outstanding' && compare(open, '0') > 0;
}

/**
 * An invoice that was carried over is owed in other books, so nothing of it is open here.
 *
 * @example stateOfInvoices([]) // 'none'
 */
export function stateOfInvoices(invoices: readonly SignupInvoice[]): InvoicesNow {
  if (invoices.length === 0) return 'none';
  if (invoices.some(({ status }) => status === 'Cancelled')) return 'cancelled';
  return invoices.some(isOpen) ? 'open' : 'settled';
}
