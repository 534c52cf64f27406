/** Adds amounts by currency; amounts of different currencies are never added. */
import { add, formatAmount, negate, type Decimal } from './money.ts';

export type Amounts = Readonly<Record<string, Decimal>>;

export interface Invoiced {
  readonly currency: string;
  readonly currentAmountDue: Decimal;
}

/** @example amountsOf(invoices) // { USD: '236.85', EUR: '10' } */
export function amountsOf(invoices: Iterable<Invoiced>): Amounts {
  const sums: Record<string, Decimal> = {};
  for (const { currency, currentAmountDue } of invoices) {
    sums[currency] = add(sums[currency] ?? '0', currentAmountDue);
  }
  return sums;
}

/** @example addAmounts({ USD: '1' }, { USD: '2', EUR: '3' }) // { USD: '3', EUR: '3' } */
export function addAmounts(left: Amounts, right: Amounts, sign: 1 | -1 = 1): Amounts {
  const sums: Record<string, Decimal> = { ...left };
  for (const [currency, amount] of Object.entries(right)) {
    sums[currency] = add(sums[currency] ?? '0', sign === 1 ? amount : negate(amount));
  }
  return sums;
}

/** @example amountTexts({ USD: '236.85', EUR: '10' }) // ['236.85 USD', '10.00 EUR'] */
export function amountTexts(amounts: Amounts): string[] {
  return Object.entries(amounts).map(
    ([currency, amount]) => `${formatAmount(currency, amount)} ${currency}`,
  );
}
