/** Splits money that a gateway withdrew from a payment into its covered and excess parts. */
import { add, compare, negate, type Decimal } from '../money/money.ts';

/** A charged payment and what has happened to it so far. */
export interface ChargedPayment {
  /** The charged amount, including the surcharge. */
  readonly amount: Decimal;
  readonly surcharge: Decimal;
  /** The sum of its refunds. */
  readonly refunded: Decimal;
  /** The sums of earlier withdrawals and of their covered parts. */
  readonly withdrawnBefore: Decimal;
  readonly coveredBefore: Decimal;
  /** The payment counts in the books: it was neither cancelled nor fully refunded. */
  readonly isPaid: boolean;
}

export interface WithdrawalShares {
  /** The part that was received, without the surcharge, and not refunded. */
  readonly covered: Decimal;
  /** The part that exceeds what is left of the charge; a person has to handle it. */
  readonly excess: Decimal;
  /** The amount by which the books change: zero if the payment was cancelled before. */
  readonly entered: Decimal;
}

/**
 * Splits a withdrawn amount. A surcharge that is withdrawn is neither covered nor excess, because
 * it is in no balance.
 *
 * @example // 100 and a surcharge of 3 were charged, 40 were refunded
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
