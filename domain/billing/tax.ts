/** The stage that taxes an invoice line: what isTax charges come to, after all else is known. */
import assert from 'node:assert';
import type { Decimal } from '../model.ts';
import { withPercentages } from './percent.ts';
import type { RatedCharge } from './rate.ts';

/** A charge with its final amount. */
export interface PricedCharge extends RatedCharge {
  readonly amount: Decimal;
}

/**
 * An isTax percentage is taken of all charges of the line that are no tax, percentages included.
 *
 * @example // a fee of 31.00, 3.10 for support, and 20 percent of isTax
 *   tax(charges, 'USD') // the two, and 6.82
 */
export function tax(charges: readonly RatedCharge[], currency: string): readonly PricedCharge[] {
  const priced = withPercentages(charges, 'tax', currency);
  assert(priced.every(isPriced), 'after the last stage that prices it every charge has its amount');
  return priced;
}

function isPriced(charge: RatedCharge): charge is PricedCharge {
  return charge.amount !== null;
}
