/** The rating stage that prices due charges: one rated charge for each tier reached. */
import assert from 'node:assert';
import type { BillableLine, DueCharge } from '../model.ts';
import type { OpenPercentage, PeriodCharge, RatedCharge } from './charges.ts';
import { isPercentage, kindOf } from './kinds.ts';
import { countParts, percentTier, priceQuantity } from './pricing.ts';

/**
 * Prices the due charges of an order, and keeps their order. Percentages stay open, because they
 * depend on what else their invoice has. Throws DomainError if a charge has no price in the
 * currency, or none for the quantity.
 *
 * @example // 17 of January's 31 days of a fee of 29.95
 *   rate([due], 'USD') // [{ kind: 'period', unitPrice: '29.95', amount: '16.42', ... }]
 */
export function rate(charges: readonly DueCharge[], currency: string): readonly RatedCharge[] {
  return charges.flatMap((due): readonly RatedCharge[] =>
    isPercentage(due.line.charge) ? [openPercentage(due, currency)] : priced(due, currency),
  );
}

function openPercentage(due: DueCharge, currency: string): OpenPercentage {
  const { charge, quantity } = due.line;
  const kind = kindOf(charge);
  assert(kind === 'percent' || kind === 'tax', 'penalties and usage are no percentages of others');
  const { id: tierId, percent } = percentTier(charge, quantity, currency);
  return { kind, due, tierId, quantity, percent };
}

function priced(due: DueCharge, currency: string): readonly PeriodCharge[] {
  const { charge, quantity, unitPrice } = due.line;
  const kind = kindOf(charge);
  assert(
    kind !== 'percent' && kind !== 'usage',
    'these are priced by other charges, or by activity',
  );
  const parts = priceQuantity({ charge, quantity, unitPrice, currency, ...due.share });
  return parts.map((part) => ({ kind, due, ...part }));
}

/** How many rated charges a due charge of the line makes, without pricing it. */
export function countRated({ charge, quantity }: BillableLine, currency: string): number {
  return isPercentage(charge) ? 1 : countParts(charge, quantity, currency);
}
