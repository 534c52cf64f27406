/**
 * The amount of one billed usage record: its share of what its window costs, found from the
 * window's sums without the other records.
 *
 * The last record (by chargeDate, then id) takes what rounding leaves, so its amount is stored with
 * the window when it is billed. For that, SQL sums the rounded shares of all records once the
 * window's amount is known. It must round as `roundedShare` does: PostgreSQL's `/` first rounds the
 * quotient to some digits, which makes half a cent of a little less, and then a whole one. `div` is
 * exact. With the amount in minor units (cents), the sum in minor units is
 *
 *     sum(sign(amount * q) * div(2 * abs(amount * q) + quantity, 2 * quantity))
 *
 * If the window's quantity is 0, as after corrections of all of it, every share is 0.
 */
import { compare, formatAmount, negate, shareOf, sum, type Decimal } from '../money/money.ts';

/** What the records of a window that came without an amount share by quantity. */
export interface SharedUsage {
  /** The sum of the records' quantities, those of corrections in the same window too. */
  readonly quantity: Decimal;
  readonly amount: Decimal;
  readonly currency: string;
}

/** The same once it is billed. */
export interface BilledUsage extends SharedUsage {
  /** The record that is last by chargeDate, then id. */
  readonly lastId: number;
  /** @see lastAmountOf */
  readonly lastAmount: Decimal;
}

/** A record of the window without an amount of its own; a correction's quantity is negative. */
export interface SharingRecord {
  readonly id: number;
  readonly quantity: Decimal;
}

/**
 * The amount of one record of a billed window.
 *
 * @example // 70 of 180 minutes that cost 16.40
 *   amountOfRecord({ id: 2101, quantity: '70' }, billed) // '6.38'
 */
export function amountOfRecord({ id, quantity }: SharingRecord, billed: BilledUsage): Decimal {
  return id === billed.lastId ? billed.lastAmount : roundedShare(quantity, billed);
}

/**
 * The share of a record that is not the last, rounded once, half away from zero.
 *
 * @example roundedShare('70', { quantity: '180', amount: '16.40', currency: 'USD' }) // '6.38'
 */
export function roundedShare(part: Decimal, { quantity, amount, currency }: SharedUsage): Decimal {
  if (compare(quantity, '0') === 0) return formatAmount(currency, '0');
  return shareOf(amount, { part, whole: quantity, currency });
}

/** What the amount of the last record is computed from. */
export interface LastShare {
  readonly lastQuantity: Decimal;
  /** The sum of the rounded shares of all records, that of the last one too. */
  readonly roundedSum: Decimal;
}

/**
 * The amount of the last record: what the rounded shares of the others leave of the whole.
 *
 * @example // 70 and 110 of 180 minutes that cost 16.40
 *   lastAmountOf(shared, { lastQuantity: '110', roundedSum: '16.40' }) // '10.02'
 */
export function lastAmountOf(
  shared: SharedUsage,
  { lastQuantity, roundedSum }: LastShare,
): Decimal {
  const rounded = roundedShare(lastQuantity, shared);
  const amount = sum([shared.amount, negate(roundedSum), rounded]);
  return formatAmount(shared.currency, amount);
}

/** A record that is corrected, and that has its amount. */
export interface CorrectedRecord {
  readonly quantity: Decimal;
  readonly amount: Decimal;
  readonly currency: string;
}

/**
 * The amount of a correction that came without one, of a record that has one: of a billed record,
 * or of an unbilled one whose amount was supplied. Of several corrections it is what they come to
 * together, so that those of a whole record come to its amount.
 *
 * @param quantity of all of them: negative
 * @example // 50 minutes were 5.00
 *   correctionAmount('-20', { quantity: '50', amount: '5.00', currency: 'USD' }) // '-2.00'
 */
export function correctionAmount(
  quantity: Decimal,
  { quantity: whole, amount, currency }: CorrectedRecord,
): Decimal {
  return shareOf(amount, { part: quantity, whole, currency });
}
