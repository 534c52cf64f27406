/** Refuses to make or to charge what the page did not show. */
import type { Decimal } from '../../domain/money/decimal.ts';
import { compare } from '../../domain/money/money.ts';
import { openSum, type SignupInvoice } from './invoices.ts';
import type { SignupRow } from './signup-row.ts';

/** Its invoices come to something else than was shown; nothing is stored. */
export class PriceMoved extends Error {
  constructor() {
    super('the price is no longer that of the page');
  }
}

/** The total of the new invoices is what was shown as due today. */
export function refuseMoved({ lastTry }: SignupRow, total: Decimal): void {
  const due = compare(total, '0') < 0 ? '0' : total;
  if (compare(due, lastTry?.shownAmount ?? '0') !== 0) throw new PriceMoved();
}

/** What is open of invoices that exist is at most what was shown. */
export function refuseHigher(row: SignupRow, invoices: readonly SignupInvoice[]): void {
  if (compare(openSum(invoices), row.lastTry?.shownAmount ?? '0') > 0) throw new PriceMoved();
}
