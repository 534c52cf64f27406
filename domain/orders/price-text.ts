/** The text that tells whether the price of an order has moved: its hash is that of a quote. */
import type { Coupon } from '../discounts/coupon.ts';
import type { Plan } from '../plans/plan.ts';
import { formatDecimal, parseDecimal, type Decimal } from '../money/money.ts';
import type { TaxRate } from '../tax/rates.ts';
import type { OrderLine } from './lines.ts';

export interface PricedTerms {
  readonly plan: Plan;
  readonly currency: string;
  readonly coupon: Coupon | null;
  readonly lines: readonly OrderLine[];
}

/**
 * The same for orders that cost the same on the same days: plan version, currency, lines, coupon,
 * and the rates of the lines' tax codes in every country. Penalties, dates and addresses are not in
 * it, and the order of lines and rates does not matter.
 *
 * @example priceText(gold, rates) // '["GOLD",1,"USD",[["GOLD-FEE","1",null],...],...]'
 */
export function priceText(
  { plan, currency, coupon, lines }: PricedTerms,
  rates: readonly TaxRate[],
): string {
  const billed = lines.filter(({ charge, isActive }) => isActive && !charge.isPenalty);
  const codes = new Set(billed.flatMap(({ charge }) => charge.taxCodes));
  const prices = billed.map(({ charge, quantity, unitPrice }) => [
    charge.priceCode,
    shortest(quantity),
    unitPrice === null ? null : shortest(unitPrice),
  ]);
  const discount = coupon && [
    coupon.code,
    coupon.percent,
    coupon.amount,
    coupon.currency,
    coupon.isOnce,
    coupon.periods,
  ];
  const taxes = rates
    .filter(({ taxCode }) => codes.has(taxCode))
    .map((rate) => [rate.country, rate.state, rate.taxCode, rate.percent, rate.name]);
  return JSON.stringify([
    plan.contractCode,
    plan.version,
    currency,
    sorted(prices),
    discount,
    sorted(taxes),
  ]);
}

function shortest(decimal: Decimal): Decimal {
  return formatDecimal(parseDecimal(decimal));
}

function sorted(rows: readonly (readonly (string | null)[])[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
