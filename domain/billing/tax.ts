/** The rating stage that taxes an invoice line, after all other amounts are known. */
import assert from 'node:assert';
import type { Decimal } from '../model.ts';
import { withPercentages } from './percent.ts';
import type { RatedCharge } from './rate.ts';

/** A charge with its final amount. */
export interface PricedCharge extends RatedCharge {
  readonly amount: Decimal;
}

/**
 * An isTax percentage applies to all charges of the line that are not taxes, including percentages.
 *
 * @example // a fee of 31.00, 3.10 for support, and 20 percent of isTax
 *   tax(charges, 'USD') // the two, and 6.82
 */
export function tax(charges: readonly RatedCharge[], currency: string): readonly PricedCharge[] {
  const priced = withPercentages(charges, 'tax', currency);
  assert(priced.every(isPriced), 'after the last pricing stage every charge has its amount');
  return priced;
}

function isPriced(charge: RatedCharge): charge is PricedCharge {
  return charge.amount !== null;
}
