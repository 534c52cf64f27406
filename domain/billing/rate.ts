/** The rating stage that prices due charges: one rated charge for each tier reached. */
import type { BillableLine, Decimal, DueCharge } from '../model.ts';
import { countParts, percentTier, priceQuantity } from './pricing.ts';
import { isPercentage, kindOf, type ChargeKind } from './kinds.ts';

export interface RatedCharge {
  readonly kind: ChargeKind;
  /** The due charge; the tiers of one period of one order line share it. */
  readonly due: DueCharge;
  readonly isPercent: boolean;
  readonly tierId: number | null;
  readonly quantity: Decimal;
  /** The percentage itself for a charge that is a percentage. */
  readonly unitPrice: Decimal;
  /** Null while the charge is a percentage whose base is not known yet. */
  readonly amount: Decimal | null;
}

/**
 * Prices the due charges of an order, and keeps their order. Throws DomainError if a charge has no
 * price in the currency, or none for the quantity.
 *
 * @example // 17 of January's 31 days of a fee of 29.95
 *   rate([due], 'USD') // [{ kind: 'period', unitPrice: '29.95', amount: '16.42', ... }]
 */
export function rate(charges: readonly DueCharge[], currency: string): readonly RatedCharge[] {
  const rated: RatedCharge[] = [];
  for (const due of charges) {
    const { charge, quantity, unitPrice } = due.line;
    const kind = kindOf(charge);
    if (isPercentage(charge)) {
      const { id: tierId, percent } = percentTier(charge, quantity, currency);
      rated.push({
        kind,
        due,
        isPercent: true,
        tierId,
        quantity,
        unitPrice: percent,
        amount: null,
      });
      continue;
    }
    const { numerator, denominator } = due.share;
    for (const part of priceQuantity({
      charge,
      quantity,
      unitPrice,
      currency,
      numerator,
      denominator,
    })) {
      rated.push({ kind, due, isPercent: false, ...part });
    }
  }
  return rated;
}

/** How many rated charges a due charge of the line makes, without pricing it. */
export function countRated({ charge, quantity }: BillableLine, currency: string): number {
  return isPercentage(charge) ? 1 : countParts(charge, quantity, currency);
}
