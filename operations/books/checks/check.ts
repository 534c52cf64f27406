/** A rule of the books, and the statement that finds the rows that break it. */
import { currencyDigits } from '../../../domain/money/money.ts';

export interface Check {
  readonly name: string;
  /** The rule in words. */
  readonly rule: string;
  /** Selects (object, detail); $1 is the tenant. */
  readonly sql: string;
}

/** The customer and currency of a row's balance, as people name them. */
export const customerOf = (row: string): string =>
  `'customer ' || ${row}.customer_id || ' in ' || ${row}.currency`;

/** Whether a charge gives back of earlier ones: no discount, percentage or tax of its invoice sees it. */
export const givesBack = (charge: string): string => `exists (select from charge_credit gb
  where gb.tenant_id = ${charge}.tenant_id and gb.credit_charge_id = ${charge}.id)`;

/** What standing credits give back of a charge; null if there are none. */
export const givenBackOf = (charge: string): string => `(select sum(gb.amount) from charge_credit gb
  where gb.tenant_id = ${charge}.tenant_id and gb.invoice_charge_id = ${charge}.id
    and gb.voided_at is null)`;

/** An invoice, as people name it: `invoice 1001`. */
export const invoiceOf = (invoice: string): string => `'invoice ' || ${invoice}.invoice_number`;

/** The decimals of a currency, as in `minorDigits`. */
export function digitsOf(currency: string): string {
  const byDigits = Map.groupBy(currencyDigits.keys(), (code) => currencyDigits.get(code));
  byDigits.delete(2);
  const cases = [...byDigits].map(
    ([digits, codes]) => `when ${currency} in ('${codes.join(`', '`)}') then ${digits}`,
  );
  return `case ${cases.join(' ')} else 2 end`;
}
