/** What it means for a payment that the gateway took money of it out of our account again. */
import type { Decimal } from '../model.ts';
import { add, compare, negate } from '../money/money.ts';

/** A payment that was charged, and what became of it so far. */
export interface ChargedPayment {
  /** What was charged, the surcharge included. */
  readonly amount: Decimal;
  readonly surcharge: Decimal;
  /** Gone back of it by refunds. */
  readonly refunded: Decimal;
  /** The sum of what was withdrawn of it before, and of what of that was covered. */
  readonly withdrawnBefore: Decimal;
  readonly coveredBefore: Decimal;
  /** Its books stand: it was neither cancelled nor given back whole. */
  readonly isPaid: boolean;
}

export interface WithdrawalShares {
  /** The part that had come, without the surcharge, and had not gone back. */
  readonly covered: Decimal;
  /** The part for which no charge is left: somebody has to see to it. */
  readonly excess: Decimal;
  /** What the books lose: nothing where the payment was cancelled before. */
  readonly entered: Decimal;
}

/**
 * Splits what was withdrawn. A surcharge that goes with it is neither covered nor excess: it is in
 * nobody's balance.
 *
 * @example // 100 and a surcharge of 3 were charged, 40 went back
 *   withdraw(payment, '103') // covered 60, excess 40, entered 60
 */
export function withdraw(payment: ChargedPayment, amount: Decimal): WithdrawalShares {
  const { refunded, surcharge, withdrawnBefore, coveredBefore, isPaid } = payment;
  const kept = add(payment.amount, negate(refunded));
  const coverable = positive(add(kept, negate(add(surcharge, coveredBefore))));
  const covered = compare(amount, coverable) < 0 ? amount : coverable;
  const chargeable = positive(add(kept, negate(withdrawnBefore)));
  const excess = positive(add(amount, negate(chargeable)));
  return { covered, excess, entered: isPaid ? covered : '0' };
}

function positive(amount: Decimal): Decimal {
  return compare(amount, '0') > 0 ? amount : '0';
}
