/** The rating stage that prices due charges: one rated charge for each tier reached. */
import assert from 'node:assert';
import {
  isWindow,
  type DueCharge,
  type DueOrder,
  type DueUnit,
  type DueWindow,
} from '../due/due-charges.ts';
import type { BillableLine, BilledCost } from '../../standing/line.ts';
import type { OpenPercentage, PeriodCharge, RatedCharge } from '../charges.ts';
import { openCorrections, type CorrectedLines, type OpenCorrections } from '../credit/corrected.ts';
import { isPercentage, kindOf } from '../kinds.ts';
import { countParts, percentTier, priceQuantity } from './pricing.ts';
import { priceWindow } from './usage.ts';

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
  const { share, before } = due;
  const parts = priceQuantity({ charge, quantity, unitPrice, currency, ...share, before });
  return parts.map((part) => ({ kind, due, ...part }));
}

/**
 * Prices what is due of an order, in the order of its lines; what is due of one line keeps its order
 * of time. Windows without records have no charges. What corrections give back beside the usage
 * itself follows after all of them. Throws as `rate` does.
 *
 * @example // a fee of 29.95, and 180 minutes for 16.40
 *   rateDue({ charges: [fee], windows: [january] }, 'USD').length // 4, with the subtotal
 */
export function rateDue(
  { charges, windows = [] }: Pick<DueOrder, 'charges'> & Partial<Pick<DueOrder, 'windows'>>,
  currency: string,
  corrected?: CorrectedLines,
): readonly RatedCharge[] {
  const corrections = openCorrections(corrected, currency);
  const units = [...charges, ...windows].toSorted(inInvoiceOrder);
  const rated = units.flatMap((unit) =>
    isWindow(unit) ? ratedWindow(unit, currency, corrections) : rate([unit], currency),
  );
  return [...rated, ...corrections.credits()];
}

function ratedWindow(
  { window, sums }: DueWindow,
  currency: string,
  corrections: OpenCorrections,
): readonly RatedCharge[] {
  const priced = sums === null ? null : priceWindow(window, sums, currency, corrections);
  return priced === null ? [] : [...priced.charges, priced.subTotal];
}

function inInvoiceOrder(left: DueUnit, right: DueUnit): number {
  const [one, other] = [lineOf(left), lineOf(right)];
  return one.position - other.position || one.id - other.id;
}

function lineOf(unit: DueUnit): BillableLine {
  return isWindow(unit) ? unit.window.line : unit.line;
}

/**
 * What further days of its period are priced by once a due charge is billed; nothing of percentages,
 * which are of their invoice.
 *
 * @example costOf(fee, 'USD') // { days: 17, parts: [{ unitPrice: '29.95', amount: '16.42', ... }] }
 */
export function costOf(due: DueCharge, currency: string): BilledCost {
  const charges = isPercentage(due.line.charge) ? [] : priced(due, currency);
  const parts = charges.map(({ tierId, unitPrice, quantity, amount }) => {
    return { tierId, unitPrice, quantity, amount };
  });
  return { days: due.share.numerator, parts };
}

/** How many rated charges a due charge of the line makes, without pricing it. */
export function countRated({ charge, quantity }: BillableLine, currency: string): number {
  return isPercentage(charge) ? 1 : countParts(charge, quantity, currency);
}
