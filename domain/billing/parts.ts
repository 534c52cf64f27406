/** Prices the parts of a period: together they cost what all their days cost at once. */
import assert from 'node:assert';
import type { BilledDays, BilledPart } from '../standing/line.ts';
import {
  add,
  compare,
  formatAmount,
  negate,
  roundedAmount,
  signOf,
  type Rating,
  type Decimal,
} from '../money/money.ts';
import type { PartsBefore } from './due-charges.ts';

/** What decides whether parts belong together: days at another price or quantity stand for themselves. */
export type PartPrice = Omit<BilledPart, 'amount'>;

/** What some days of a period were billed for at one price. */
export interface StandingDays {
  readonly days: number;
  readonly amount: Decimal;
}

/**
 * What was billed for days of a period at a price.
 *
 * @example // 6 and 10 of the 28 days of 29.95
 *   standingAt(fee, billed) // { days: 16, amount: '17.11' }
 */
export function standingAt(price: PartPrice, billed: readonly BilledDays[]): StandingDays {
  let days = 0;
  let amount: Decimal = '0';
  for (const { cost } of billed) {
    assert(cost, 'what was billed of a period is read with what it cost');
    const same = cost.parts.filter((part) => isSamePrice(part, price));
    if (same.length > 0) days += cost.days;
    for (const part of same) amount = add(amount, part.amount);
  }
  return { days, amount };
}

/**
 * What a part of a period costs: the share of all its billed days, the part's included, less what was
 * billed for the days before; never less than nothing. Hence what rounding left to earlier parts
 * comes to the later ones, and the parts sum up to the price of their days.
 *
 * @example // the last 5 of 28 days of 29.95, after 24.60 for 23 days
 *   partAmount(fee, { numerator: 5, denominator: 28, currency: 'USD' }, before) // '5.35'
 */
export function partAmount(
  price: PartPrice,
  share: Pick<Rating, 'numerator' | 'denominator' | 'currency'>,
  before?: PartsBefore,
): Decimal {
  const { unitPrice, quantity } = price;
  const costOf = (numerator: number): Decimal =>
    roundedAmount({ price: unitPrice, quantity, ...share, numerator });
  if (before === undefined) return costOf(share.numerator);
  const stands = standingAt(price, before.billed);
  const daysBefore = stands.days + before.dueDays;
  // The first part that is due together with others makes up for what earlier invoices rounded.
  const sign = signOf(unitPrice);
  const taken =
    before.dueDays === 0 ? stands.amount : furthest(stands.amount, costOf(daysBefore), sign);
  const left = add(costOf(daysBefore + share.numerator), negate(taken));
  return formatAmount(share.currency, signOf(left) === sign ? left : '0');
}

/** The one that is further from zero, of two amounts of one sign. */
function furthest(left: Decimal, right: Decimal, sign: -1 | 0 | 1): Decimal {
  return compare(left, right) === sign ? left : right;
}

function isSamePrice(left: PartPrice, right: PartPrice): boolean {
  return (
    left.tierId === right.tierId &&
    compare(left.unitPrice, right.unitPrice) === 0 &&
    compare(left.quantity, right.quantity) === 0
  );
}
