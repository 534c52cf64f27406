/** The rules of a row of invoice line items that depend on nothing stored. */
import { DomainError } from '../errors.ts';
import { pricedLine, type ManualCharge } from '../invoices/by-hand.ts';
import { endFaults, keyFaults, type LineRow, type RowFault } from './rows.ts';

/**
 * The faults of a row that its price does not depend on.
 *
 * @example lineFaults({ ...row, invoiceNumber: 'OLD-1\u200B' }) // one
 */
export function lineFaults(row: LineRow): RowFault[] {
  return [...keyFaults('invoiceNumber', row.invoiceNumber), ...endFaults(row)];
}

/** The one charge of a line, or what is wrong with the row. */
export type PricedRow =
  | { readonly charge: ManualCharge; readonly faults: null }
  | { readonly charge: null; readonly faults: readonly RowFault[] };

/**
 * Prices a row as a charge of an invoice that is made by hand.
 *
 * @param currency the invoice's
 * @example pricedRow({ ...row, unitPrice: '3.25', quantity: '2' }, 'USD').charge?.amount // '6.50'
 */
export function pricedRow(row: LineRow, currency: string): PricedRow {
  const faults = endFaults(row);
  try {
    const { unitPrice, quantity, amount, priceCode, invoiceText } = row;
    const charge = { position: 1, unitPrice, quantity, amount, priceCode, invoiceText };
    const [priced] = pricedLine({ invoiceLineItemCharges: [charge] }, 0, currency);
    if (priced !== undefined && faults.length === 0) return { charge: priced, faults: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const column = error.path?.split('/').at(-1) ?? 'amount';
    faults.push({ code: error.code, column, message: error.message });
  }
  return { charge: null, faults };
}
