/** The taxes by rate of an invoice's document: what each was taken of, and their sums by rate. */
import { add, sum, type Decimal } from '../money/money.ts';
import type { Formats } from './formats.ts';

/** A charge that is a tax by rate, or the credit of one. */
export interface SourceTax {
  readonly chargeId: number;
  readonly name: string;
  readonly percent: Decimal;
  /** Why there is no tax. */
  readonly reason: string | null;
  /** The charges that it was taken of, by their positions on the same line. */
  readonly basePositions: readonly number[];
  /** Of a credit: what goes back of the charges that the tax was taken of, below zero. */
  readonly creditedBase?: Decimal | null;
}

/** A line of the invoice, with what its taxes need to know. */
export interface TaxedLine {
  readonly charges: readonly {
    readonly id: number;
    /** On its line. */
    readonly position: number;
    readonly amount: Decimal;
  }[];
}

/** A tax with the sum that it was taken of. */
export interface TaxBase {
  readonly percent: Decimal;
  readonly base: Decimal;
}

export interface TaxRow {
  readonly name: string;
  readonly reason: string | null;
  readonly percent: string;
  readonly base: string;
  readonly amount: string;
}

/** A charge that is a tax by rate, with the sum that it was taken of. */
export interface Taxed {
  readonly tax: SourceTax;
  readonly base: Decimal;
  readonly amount: Decimal;
}

/**
 * The taxes among the charges of all lines, in the order of the invoice.
 *
 * @example taxedCharges([line], [{ chargeId: 7, percent: '19', basePositions: [1, 2], ... }])
 *   // [{ tax, base: '26.95', amount: '5.12' }]
 */
export function taxedCharges(lines: readonly TaxedLine[], taxes: readonly SourceTax[]): Taxed[] {
  if (taxes.length === 0) return [];
  const byCharge = new Map(taxes.map((tax) => [tax.chargeId, tax]));
  return lines.flatMap(({ charges }) => {
    const amounts = new Map(charges.map(({ position, amount }) => [position, amount]));
    return charges.flatMap(({ id, amount }) => {
      const tax = byCharge.get(id);
      if (tax === undefined) return [];
      const base =
        tax.creditedBase ?? sum(tax.basePositions.map((position) => amounts.get(position) ?? '0'));
      return [{ tax, base, amount }];
    });
  });
}

/**
 * What each tax was taken of, by the id of its charge.
 *
 * @example taxBases(taxedCharges([line], taxes)).get(7) // { percent: '19', base: '26.95' }
 */
export function taxBases(taxed: readonly Taxed[]): ReadonlyMap<number, TaxBase> {
  return new Map(taxed.map(({ tax, base }) => [tax.chargeId, { percent: tax.percent, base }]));
}

/**
 * The taxes of all lines together: a row for each rate, in the order of the invoice.
 *
 * @example taxRows(taxedCharges([line], taxes), formats)
 *   // [{ name: 'USt', reason: null, percent: '19\u00a0%', base: '26,95 €', amount: '5,12 €' }]
 */
export function taxRows(taxed: readonly Taxed[], formats: Formats): TaxRow[] {
  const rows = new Map<string, Taxed>();
  for (const { tax, base, amount } of taxed) {
    const key = JSON.stringify([tax.name, tax.percent, tax.reason]);
    const before = rows.get(key) ?? { tax, base: '0', amount: '0' };
    rows.set(key, { tax, base: add(before.base, base), amount: add(before.amount, amount) });
  }
  return [...rows.values()].map(({ tax: { name, reason, percent }, base, amount }) => ({
    name,
    reason,
    percent: formats.percent(percent),
    base: formats.amount(base),
    amount: formats.amount(amount),
  }));
}
