/** The taxes of an electronic invoice: the category of each line, and the sums by category and rate. */
import { add, signOf, type Decimal } from '../money/money.ts';
import { usualReason, type TaxCategory } from '../tax/rates.ts';
import type { SourceSender } from './page-parties.ts';

export interface UblTax {
  readonly category: TaxCategory;
  /** Null outside of the scope of tax. */
  readonly percent: Decimal | null;
  /** Why there is no tax. */
  readonly reason: string | null;
}

/** What a charge is to a tax. */
export interface UblCharge {
  /** A tax by rate, or what goes back of one. */
  readonly isTax: boolean;
  /** Its own; of another charge, or of what it gives back, those that were taken of it. */
  readonly rates: readonly UblTax[];
}

interface Taxing {
  readonly sender: SourceSender;
  /** Whether its invoice has any tax. */
  readonly isTaxed: boolean;
}

/**
 * The tax of a line: that of its rate, or what the tenant says of charges without one. An invoice
 * without any tax is outside of its scope.
 *
 * @example taxOfLine({ isTax: false, rates: [] }, { sender, isTaxed: true }) // { category: 'Z', percent: '0', reason: null }
 */
export function taxOfLine({ rates }: UblCharge, { sender, isTaxed }: Taxing): UblTax {
  const [rate] = rates;
  if (rate !== undefined) return withoutScope(rate);
  const { category = 'Z', exemptionReason } = sender.untaxed ?? {};
  return isTaxed
    ? withoutScope({ category, percent: '0', reason: exemptionReason ?? usualReason(category) })
    : withoutScope({ category: 'O', percent: null, reason: usualReason('O') });
}

const withoutScope = (tax: UblTax): UblTax =>
  tax.category === 'O' ? { ...tax, percent: null } : tax;

export interface Taxable {
  readonly tax: UblTax;
  readonly amount: Decimal;
}

export interface Subtotal {
  readonly tax: UblTax;
  readonly base: Decimal;
  readonly amount: Decimal;
}

/**
 * One for each category and percentage, in the order of the lines.
 *
 * @example subtotalsOf([{ tax, amount: '12.18' }], [{ tax, amount: '2.44' }])
 *   // [{ tax, base: '12.18', amount: '2.44' }]
 */
export function subtotalsOf(lines: readonly Taxable[], taxes: readonly Taxable[]): Subtotal[] {
  const subtotals = new Map<string, Subtotal>();
  const keyOf = ({ category, percent }: UblTax): string => `${category} ${percent}`;
  const addTo = (tax: UblTax, base: Decimal, amount: Decimal): void => {
    const key = keyOf(tax);
    const before = subtotals.get(key) ?? { tax, base: '0', amount: '0' };
    subtotals.set(key, {
      tax: before.tax,
      base: add(before.base, base),
      amount: add(before.amount, amount),
    });
  };
  for (const { tax, amount } of lines) addTo(tax, amount, '0');
  for (const { tax: rate, amount } of taxes) {
    const tax = withoutScope(rate);
    // A tax of nothing that no line has is none of the document's.
    if (signOf(amount) !== 0 || subtotals.has(keyOf(tax))) addTo(tax, '0', amount);
  }
  return [...subtotals.values()];
}
