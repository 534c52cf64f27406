/** How an invoice continues from its customer's balance before it. */
import type { Decimal } from '../money/decimal.ts';
import { add, negate } from '../money/money.ts';

/** A customer's debt in a currency, and the totalDue of its last invoice in it. */
export interface BalanceBefore {
  readonly balance: Decimal;
  readonly lastTotalDue: Decimal;
}

export interface ContinuedBalance {
  readonly previousBalance: Decimal;
  /** What happened since the last invoice. */
  readonly paymentsAndAdjustments: Decimal;
  readonly totalDue: Decimal;
}

/**
 * The balances on an invoice of that amount.
 *
 * @example // 78.95 of the last invoice, of which 50.00 are paid
 *   continueFrom({ balance: '28.95', lastTotalDue: '78.95' }, '29.95')
 *   // { previousBalance: '78.95', paymentsAndAdjustments: '-50', totalDue: '58.9' }
 */
export function continueFrom(
  { balance, lastTotalDue }: BalanceBefore,
  currentAmountDue: Decimal,
): ContinuedBalance {
  return {
    previousBalance: lastTotalDue,
    paymentsAndAdjustments: add(balance, negate(lastTotalDue)),
    totalDue: add(balance, currentAmountDue),
  };
}

/** From which the next invoice continues. */
export function balanceAfter({ totalDue }: ContinuedBalance): BalanceBefore {
  return { balance: totalDue, lastTotalDue: totalDue };
}
