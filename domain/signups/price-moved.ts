/** Refuses to make or to charge what the page did not show. */
import { compare, type Decimal } from '../money/money.ts';
import { openSum, type SignupInvoice } from './invoices.ts';

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
