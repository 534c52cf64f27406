/** Refuses to make or to charge what the page did not show. */
import type { InvoiceStatus } from '../invoices/happened.ts';
import { compare, type Decimal, sum } from '../money/money.ts';
import type { InvoicesNow } from './step.ts';

/** Its invoices come to something else than was shown; nothing is stored. */
export class PriceMoved extends Error {
  constructor() {
    super('the price is no longer that of the page');
  }
}

/** What its last try was shown; null before the first. */
interface Shown {
  readonly lastTry: { readonly shownAmount: Decimal | null } | null;
}

/**
 * The total of the new invoices is what was shown as due today.
 *
 * @example refuseMoved({ lastTry: { shownAmount: '29.95' } }, '30') // throws PriceMoved
 */
export function refuseMoved({ lastTry }: Shown, total: Decimal): void {
  const due = compare(total, '0') < 0 ? '0' : total;
  if (compare(due, lastTry?.shownAmount ?? '0') !== 0) throw new PriceMoved();
}

/**
 * What is open of invoices that exist is at most what was shown.
 *
 * @example refuseHigher({ lastTry: { shownAmount: '29.95' } }, [])
 */
export function refuseHigher({ lastTry }: Shown, invoices: readonly SignupInvoice[]): void {
  if (compare(openSum(invoices), lastTry?.shownAmount ?? '0') > 0) throw new PriceMoved();
}

/** What has become of the invoices of a sign-up. */
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
