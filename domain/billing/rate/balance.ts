/** How an invoice continues from its customer's balance before it. */
import { DomainError } from '../../errors.ts';
import { add, fitsBooks, negate, type Decimal } from '../../money/money.ts';
import type { DraftInvoice } from './total.ts';

/** A customer's debt in a currency, and the totalDue of its last invoice in it. */
export interface BalanceBefore {
  readonly balance: Decimal;
  readonly lastTotalDue: Decimal;
}

/** The balance of a customer, before an invoice that is about to be made. */
export interface Balance extends BalanceBefore {
  /** The customer has unapplied money. */
  readonly hasUnapplied: boolean;
}

/** By `balanceKey`; a pair without entries has no row. */
export type Balances = ReadonlyMap<string, Balance>;

export const noBalance: Balance = { balance: '0', lastTotalDue: '0', hasUnapplied: false };

/** @example balanceKey(17, 'USD') // '17 USD' */
export function balanceKey(customerId: number, currency: string): string {
  return `${customerId} ${currency}`;
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

/**
 * Throws billing.amountTooLarge if an amount is more than the books can hold.
 *
 * @example assertFits(draft, continueFrom(before, draft.currentAmountDue))
 */
export function assertFits(
  { customerId, currentAmountDue: sum, lines }: DraftInvoice,
  { totalDue: total, paymentsAndAdjustments: paid }: ContinuedBalance,
): void {
  const amounts = lines.flatMap((line) => [
    line.lineAmountTotal,
    ...line.charges.map((charge) => charge.amount),
  ]);
  const tooLarge = [sum, total, paid, ...amounts].find((amount) => !fitsBooks(amount));
  if (tooLarge === undefined) return;
  const text = `customer ${customerId} would be billed, or owe, ${tooLarge}`;
  throw new DomainError('billing.amountTooLarge', text, { value: tooLarge });
}
