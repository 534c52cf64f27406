/** The stage that adds to the charges of an invoice line what depends on the others of them. */
import { withPercentages } from './percent.ts';
import type { RatedCharge } from './rate.ts';

/**
 * Percentages of the line's other charges, taxes left out; a percentage is not taken of another.
 *
 * @example // a fee of 31.00, and 10 percent for support
 *   adjust(charges, 'USD') // the fee, and 3.10
 */
export function adjust(charges: readonly RatedCharge[], currency: string): readonly RatedCharge[] {
  return withPercentages(charges, 'percent', currency);
}
