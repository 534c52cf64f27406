/** A rule of the books, and the statement that finds the rows that break it. */

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
