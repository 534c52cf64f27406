/** What stands of percentages, discounts and taxes once less stands of what they are taken of. */
import { percentOf, rounded, type Exact } from './figures.ts';
import type { BilledLine, Charge, Reading } from './reading.ts';
import { baseOf, discountedBy, sumBy, taxedBy, type AmountOf } from './shares.ts';

export interface Standing {
  /** What is left of charges, by id; what is absent stands whole. */
  readonly fees: ReadonlyMap<number, bigint>;
  /** A percentage that follows its base. */
  readonly isFollowing: (charge: Charge) => boolean;
  /** Percentages that follow are given back whole. */
  readonly isWhole: boolean;
  /** What is left of a discount by an amount. */
  readonly partOf: (discount: Charge) => Exact;
}

/**
 * @example dependentsOf(reading, line, { fees, ...how }).get(tax.id) // 131n
 */
export function dependentsOf(
  reading: Reading,
  line: BilledLine,
  { fees, isFollowing, isWhole, partOf }: Standing,
): Map<number, bigint> {
  const standing = new Map(fees);
  const stands: AmountOf = ({ id, minor }) => standing.get(id) ?? minor;
  const isWholeOf = (base: readonly Charge[]) => base.every((each) => stands(each) === each.minor);
  for (const kind of ['percent', 'discount', 'planTax'] as const) {
    for (const charge of line.charges.filter((each) => each.kind === kind)) {
      const base = kind === 'discount' ? discountedBy(line, charge) : baseOf(reading, line, charge);
      if (isWholeOf(base) && !(kind === 'percent' && isWhole)) continue;
      if (kind === 'discount') {
        standing.set(charge.id, discountStanding(charge, sumBy(base, stands), partOf(charge)));
      } else if (charge.isPercent && isFollowing(charge)) {
        const isGone = isWhole && kind === 'percent';
        const left = percentOf(sumBy(base, stands), charge.unitPrice ?? '0');
        standing.set(charge.id, isGone ? 0n : left);
      }
    }
  }
  for (const tax of line.charges.filter(({ kind }) => kind === 'tax')) {
    const rates = reading.shown.rates.filter(({ name }) => name === tax.invoiceText);
    for (const code of new Set(rates.map(({ taxCode }) => taxCode))) {
      const base = taxedBy(line, code);
      if (isWholeOf(base)) continue;
      standing.set(tax.id, percentOf(sumBy(base, stands), tax.unitPrice ?? '0'));
    }
  }
  return standing;
}

/** A percentage is taken of what stands; an amount is left in part. */
function discountStanding(discount: Charge, base: bigint, part: Exact): bigint {
  if (discount.isPercent) return -percentOf(base, discount.unitPrice ?? '0');
  if (base === 0n || part.under === 0n) return 0n;
  return rounded({ over: discount.minor * part.over, under: part.under });
}

/**
 * Whether a tax follows from no rate that is known: a provider's, or one that the table has lost.
 *
 * @example hasProvidersTax(reading, line) // false
 */
export function hasProvidersTax({ shown }: Reading, { charges }: BilledLine): boolean {
  return charges.some(
    ({ kind, invoiceText }) =>
      kind === 'tax' &&
      (shown.taxType !== 'table' || !shown.rates.some(({ name }) => name === invoiceText)),
  );
}
