/**
 * The rating stage that prices a usage window by the sums of its records, never by single ones: its
 * charges, and their subtotal.
 */
import assert from 'node:assert';
import type {
  BillableLine,
  CorrectionSum,
  AmountSum,
  QuantitySum,
  UsageSums,
} from '../../standing/line.ts';
import {
  compare,
  formatAmount,
  formatDecimal,
  parseDecimal,
  sum,
  type Decimal,
} from '../../money/money.ts';
import type { UsageCharge, UsageSubTotal } from '../charges.ts';
import { openCorrections, type OpenCorrections } from '../credit/corrected.ts';
import type { DueWindow, UsageWindow } from '../due/due-charges.ts';
import { percentOf } from './percent.ts';
import { priceQuantity, tierOfUsage } from './pricing.ts';

/** What a window costs. */
export interface PricedWindow {
  /** At least one, in the order of the invoice. */
  readonly charges: readonly UsageCharge[];
  /** With what its records share. */
  readonly subTotal: UsageSubTotal;
}

/** What prices the usage of a line. */
type UsedLine = Pick<BillableLine, 'charge' | 'unitPrice'>;

/** A usage charge before it has a window. */
type UsagePart = Omit<UsageCharge, 'kind' | 'window'>;

/**
 * What a window costs: each charge is rounded once. First come the corrections of what was billed
 * before, then what is priced by quantity, then what was supplied. Null for a window without records.
 *
 * @param corrections what was billed of the records that are corrected
 * @example // 180 minutes, 100 of them at 0.10 and those above at 0.08
 *   priceWindow(window, { quantities, supplied: null, corrections: [] }, 'USD')
 *   // 100 x 0.10 = 10.00 and 80 x 0.08 = 6.40, the subtotal 180 = 16.40
 */
export function priceWindow(
  window: UsageWindow,
  sums: UsageSums,
  currency: string,
  corrections = openCorrections(undefined, currency),
): PricedWindow | null {
  const { line } = window;
  const priced = quantityParts(line, sums.quantities, currency);
  const supplied = suppliedParts(line, sums, currency);
  const corrected = correctionParts(sums.corrections, { line, currency, corrections });
  const parts = [...corrected, ...priced, ...supplied];
  if (parts.length === 0) return null;
  return {
    charges: parts.map((part) => ({ kind: 'usage', window, ...part })),
    subTotal: {
      kind: 'usageSubTotal',
      window,
      quantity: quantityOf(sums),
      amount: totalOf(parts, currency),
      percent: supplied.find(({ isPercent }) => isPercent)?.unitPrice ?? null,
      shared:
        priced.length === 0
          ? null
          : { quantity: totalUnits(sums.quantities), amount: totalOf(priced, currency), currency },
    },
  };
}

/**
 * What some records come to without a window.
 *
 * @example costOf(minutes, { quantities, supplied: null, corrections: [] }, 'USD') // '16.40'
 */
export function costOf(line: UsedLine, sums: UsageSums, currency: string): Decimal {
  const priced = quantityParts(line, sums.quantities, currency);
  return totalOf([...priced, ...suppliedParts(line, sums, currency)], currency);
}

/**
 * How many charges a due window has at most, found without pricing it; at least one, because it is
 * closed even if it has no records.
 *
 * @example countCharges({ window, sums: null }) // 1
 */
export function countCharges(due: DueWindow | null): number {
  if (due === null || due.sums === null) return 1;
  const { quantities, supplied, corrections } = due.sums;
  const { pricingType, tiers } = due.window.line.charge;
  const tiered = pricingType === 'TieredPricing' ? tiers.length : 1;
  const priced = pricingType === 'UserEnteredPricing' ? quantities.length : tiered;
  const ofQuantities = quantities.length === 0 ? 0 : priced;
  return ofQuantities + (supplied === null ? 0 : 1) + corrections.length + 1;
}

/** The included units cost nothing; the rest enters the tiers from 0. */
function quantityParts(
  line: UsedLine,
  quantities: readonly QuantitySum[],
  currency: string,
): readonly UsagePart[] {
  if (quantities.length === 0) return [];
  const { charge } = line;
  if (charge.pricingType === 'UserEnteredPricing') return agreedParts(line, quantities, currency);
  const quantity = totalUnits(quantities);
  assertNotNegative(quantity);
  const rest = withoutIncluded(parseDecimal(quantity), parseDecimal(charge.standardQuantity));
  const parts = partsOf(line, { unitPrice: null, quantity: formatDecimal(rest) }, currency);
  // The price of a bulk buys units; it is not due for none.
  if (rest > 0n) return parts;
  return parts.map((part) => ({ ...part, quantity: '0', amount: formatAmount(currency, '0') }));
}

/** One for each unit price, the lowest first, which also takes the included units first. */
function agreedParts(
  line: UsedLine,
  quantities: readonly QuantitySum[],
  currency: string,
): readonly UsagePart[] {
  let included = parseDecimal(line.charge.standardQuantity);
  const byPrice = Map.groupBy(quantities, ({ unitPrice }) =>
    shortestOrNull(unitPrice ?? line.unitPrice),
  );
  return [...byPrice]
    .toSorted(([left], [right]) => compare(left ?? '0', right ?? '0'))
    .flatMap(([unitPrice, together]) => {
      const quantity = totalUnits(together);
      assertNotNegative(quantity);
      const units = parseDecimal(quantity);
      const rest = withoutIncluded(units, included);
      included -= units - rest;
      return partsOf(line, { unitPrice, quantity: formatDecimal(rest) }, currency);
    });
}

function partsOf(
  { charge }: UsedLine,
  { unitPrice, quantity }: QuantitySum,
  currency: string,
): readonly UsagePart[] {
  const whole = { numerator: 1, denominator: 1 };
  const parts = priceQuantity({ charge, quantity, unitPrice, currency, ...whole });
  return parts.map((part) => ({ ...part, isPercent: false }));
}

/** The amounts, or a percentage of them if the whole quantity falls in a tier with a percentage. */
function suppliedParts(
  { charge }: UsedLine,
  { quantities, supplied }: UsageSums,
  currency: string,
): readonly UsagePart[] {
  if (supplied === null) return [];
  const whole = sum([supplied.quantity, totalUnits(quantities)]);
  const tier = tierOfUsage(charge, whole, currency);
  if (tier === null || tier.percent === null) return [amountPart(supplied, null, currency)];
  return [{ ...amountPart(supplied, tier.percent, currency), tierId: tier.id }];
}

interface Correcting {
  readonly line: BillableLine;
  readonly currency: string;
  readonly corrections: OpenCorrections;
}

/** One, or one for each percentage at which the records were billed. */
function correctionParts(
  sums: readonly CorrectionSum[],
  { line, currency, corrections }: Correcting,
): readonly UsagePart[] {
  const byPercent = Map.groupBy(sums, ({ percent }) => shortestOrNull(percent));
  return [...byPercent]
    .toSorted(([left], [right]) => compare(left ?? '0', right ?? '0'))
    .map(([percent, together]) => {
      const given = together
        .toSorted((left, right) => left.of - right.of)
        .map((each) => corrections.take(each, line.charge));
      const amount = formatAmount(currency, sum(given.map((each) => each.amount)));
      const quantity = totalUnits(together);
      const part = amountPart({ quantity, amount: '0' }, percent, currency);
      return { ...part, amount, corrects: given.flatMap(({ corrects }) => corrects) };
    });
}

function amountPart(
  { quantity, amount }: AmountSum,
  percent: Decimal | null,
  currency: string,
): UsagePart {
  return {
    tierId: null,
    isPercent: percent !== null,
    quantity: shortest(quantity),
    unitPrice: percent,
    amount:
      percent === null ? formatAmount(currency, amount) : percentOf(percent, amount, currency),
  };
}

function withoutIncluded(units: bigint, included: bigint): bigint {
  return units > included ? units - included : 0n;
}

function assertNotNegative(quantity: Decimal): void {
  assert(compare(quantity, '0') >= 0, `corrections exceed their records by ${quantity}`);
}

/** One text for 2.5 and 2.50. */
function shortest(decimal: Decimal): Decimal {
  return formatDecimal(parseDecimal(decimal));
}

function shortestOrNull(decimal: Decimal | null): Decimal | null {
  return decimal === null ? null : shortest(decimal);
}

function totalUnits(sums: readonly { readonly quantity: Decimal }[]): Decimal {
  return sum(sums.map(({ quantity }) => quantity));
}

function totalOf(parts: readonly UsagePart[], currency: string): Decimal {
  return formatAmount(currency, sum(parts.map(({ amount }) => amount)));
}

/** Of all records, those within the included units too. */
function quantityOf({ quantities, supplied, corrections }: UsageSums): Decimal {
  return totalUnits([...quantities, ...(supplied === null ? [] : [supplied]), ...corrections]);
}
