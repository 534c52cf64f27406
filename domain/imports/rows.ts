/** The rows of imported files as values, and what can be wrong with one. */
import type { DomainErrorCode } from '../errors.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { TermUnit } from '../calendar/terms.ts';
import { exactAmount, isCurrency, minorDigits, type Decimal } from '../money/money.ts';

/** I inserts, U updates. */
export type UpdateMode = 'I' | 'U';

/** What is wrong with a row, by the column at fault. */
export interface RowFault {
  readonly code: DomainErrorCode;
  readonly column: string;
  readonly message: string;
}

/** A row of a file of customers; null for an empty cell. */
export interface CustomerRow {
  readonly updateMode: UpdateMode;
  readonly extCustomerRef: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly companyName: string | null;
  readonly emailPrimary: string | null;
  readonly username: string | null;
  readonly passwd: string | null;
  readonly street1: string | null;
  readonly street2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  readonly country: string | null;
  readonly countryCode: string | null;
  readonly workPhone: string | null;
  readonly locale: string | null;
  readonly currency: string | null;
  readonly paymentTermsValue: number | null;
  readonly paymentTermsUnits: TermUnit | null;
  readonly outstandingBalance: Decimal | null;
}

/** A row of a file of invoices; null for an empty cell. */
export interface InvoiceRow {
  readonly updateMode: 'I';
  readonly invoiceNumber: string;
  readonly customerId: number | null;
  readonly extCustomerRef: string | null;
  readonly invoiceDate: IsoDate;
  readonly dueDate: IsoDate;
  readonly status: 'Outstanding' | 'Paid';
  readonly currency: string | null;
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
  readonly currentAmountDue: Decimal | null;
  readonly paymentsAndAdjustments: Decimal | null;
  readonly notes: string | null;
}

/** A row of a file of invoice line items; null for an empty cell. */
export interface LineRow {
  readonly invoiceNumber: string;
  readonly position: number;
  readonly invoiceText: string | null;
  readonly priceCode: string | null;
  readonly contractCode: string | null;
  readonly orderNumber: string | null;
  readonly accountingCode: string | null;
  readonly unitPrice: Decimal | null;
  readonly quantity: Decimal | null;
  readonly amount: Decimal | null;
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
}

/** A fault of a cell's content. */
export const invalid = (column: string, message: string): RowFault => ({
  code: 'field.invalid',
  column,
  message,
});

/** A fault of a cell that must not be empty. */
export const required = (column: string, message = `${column} is required`): RowFault => ({
  code: 'field.required',
  column,
  message,
});

/**
 * The text of the column importError; a fault of the whole row has an empty column.
 *
 * @example errorText(7, [fault]) // 'line 7: dueDate: field.invalid: dueDate is before ...'
 */
export function errorText(
  line: number,
  faults: readonly (Omit<RowFault, 'code'> & { readonly code: string })[],
): string {
  const each = faults.map(({ code, column, message }) =>
    [column, code, message].filter(Boolean).join(': '),
  );
  return `line ${line}: ${each.join('; ')}`;
}

/** @example currencyFaults('USX') // one */
export function currencyFaults(currency: string | null): RowFault[] {
  if (currency === null || isCurrency(currency)) return [];
  return [invalid('currency', `currency must be a code of ISO 4217, not ${currency}`)];
}

/** @example endFaults({ billingStartDate: '2026-02-01', billingEndDate: '2026-01-31' }) // one */
export function endFaults({
  billingStartDate: start,
  billingEndDate: end,
}: Pick<InvoiceRow, 'billingStartDate' | 'billingEndDate'>): RowFault[] {
  if (start === null || end === null || end >= start) return [];
  return [invalid('billingEndDate', `billingEndDate is before the billingStartDate, ${start}`)];
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

/**
 * A key with a character that nobody sees would be found by no one who types it.
 *
 * @example keyFaults('extCustomerRef', 'C-1\u200B') // one: has the invisible character U+200B ...
 */
export function keyFaults(column: string, key: string | null): RowFault[] {
  const [found] = INVISIBLE.exec(key ?? '') ?? [];
  if (key === null || found === undefined) return [];
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const place = `at place ${key.indexOf(found) + 1}`;
  return [invalid(column, `${column} has the invisible character U+${code} ${place}`)];
}

/** @example precisionFaults('outstandingBalance', '12.345', 'USD') // one */
export function precisionFaults(column: string, amount: Decimal, currency: string): RowFault[] {
  if (exactAmount(currency, amount) !== null) return [];
  const most = minorDigits(currency);
  return [invalid(column, `${column} has more than the ${most} decimals of ${currency}`)];
}
