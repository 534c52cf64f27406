/** The sum of invoices, by currency. */
import type { Decimal } from '../money/decimal.ts';
import { add } from '../money/money.ts';
import type { MailInvoice } from './source.ts';

/**
 * Currencies are never added to each other.
 *
 * @param format writes an amount
 * @example totalsOf(invoices, amount) // '$20.00, €5.00'
 */
export function totalsOf(
  invoices: readonly Pick<MailInvoice, 'currency' | 'outstandingBalance'>[],
  format: (amount: Decimal, currency: string) => string,
): string {
  const totals = new Map<string, Decimal>();
  for (const { currency, outstandingBalance } of invoices) {
    totals.set(currency, add(totals.get(currency) ?? '0', outstandingBalance));
  }
  return [...totals].map(([currency, total]) => format(total, currency)).join(', ');
}
