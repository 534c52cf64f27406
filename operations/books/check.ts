/** A rule of the books, and the statement that finds the rows that break it. */
import { invoiceNumberOf } from '../../db/queries/context/invoices.ts';

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

/** An invoice, as people name it: `invoice 1001`. */
export const invoiceOf = (invoice: string): string => `'invoice ' || ${invoiceNumberOf(invoice)}`;
