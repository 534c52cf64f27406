/** The rating stage that taxes an invoice line, after all other amounts are known. */
import assert from 'node:assert';
import { isPriced, type InvoiceCharge, type RatedCharge } from './charges.ts';
import { withPercentages } from './percent.ts';

/**
 * An isTax percentage applies to all charges of the line that are not taxes, including percentages.
 *
 * @example // a fee of 31.00, 3.10 for support, and 20 percent of isTax
 *   tax(charges, 'USD') // the two, and 6.82
 */
export function tax(charges: readonly RatedCharge[], currency: string): readonly InvoiceCharge[] {
  const priced = withPercentages(charges, 'tax', currency);
  assert(priced.every(isPriced), 'after the last pricing stage every charge has its amount');
  return priced;
}
