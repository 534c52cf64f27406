/** The rating stage for charges that depend on the other charges of their invoice line. */
import type { RatedCharge } from './charges.ts';
import { withPercentages } from './percent.ts';

/**
 * Computes percentages of the line's other charges, without taxes and other percentages.
 *
 * @example // a fee of 31.00, and 10 percent for support
 *   adjust(charges, 'USD') // the fee, and 3.10
 */
export function adjust(charges: readonly RatedCharge[], currency: string): readonly RatedCharge[] {
  return withPercentages(charges, 'percent', currency);
}
