/** The rules of a row of invoices, and the amounts that its lines give it. */
import type { IsoDate } from '../calendar/calendar.ts';
import { add, compare, formatAmount, negate, signOf, sum, type Decimal } from '../money/money.ts';
import { mayStillGive, type SeriesState } from '../invoices/number-series.ts';
import {
  currencyFaults,
  endFaults,
  invalid,
  keyFaults,
  precisionFaults,
  required,
  type InvoiceRow,
  type RowFault,
} from './rows.ts';

export interface InvoiceRules {
  readonly today: IsoDate;
  /** The series of the tenant's own documents. */
  readonly series: readonly SeriesState[];
}

/**
 * The faults of a row that depend neither on its customer nor on its lines.
 *
 * @example invoiceFaults({ ...row, dueDate: '2026-01-01', invoiceDate: '2026-01-02' }, rules) // one
 */
export function invoiceFaults(row: InvoiceRow, { today, series }: InvoiceRules): RowFault[] {
  const { invoiceNumber, invoiceDate, dueDate, paymentsAndAdjustments: paid } = row;
  const faults = [
    ...keyFaults('invoiceNumber', invoiceNumber),
    ...keyFaults('extCustomerRef', row.extCustomerRef),
  ];
  if (series.some((each) => mayStillGive(each, invoiceNumber, today))) {
    const message = "invoiceNumber is one that the tenant's own series may still give";
    faults.push(invalid('invoiceNumber', message));
  }
  if (row.customerId === null && row.extCustomerRef === null) {
    faults.push(required('extCustomerRef', 'customerId or extCustomerRef is required'));
  }
  if (invoiceDate > today) {
    faults.push(invalid('invoiceDate', `invoiceDate is after today, ${today}`));
  }
  if (dueDate < invoiceDate) {
    faults.push(invalid('dueDate', `dueDate is before the invoiceDate, ${invoiceDate}`));
  }
  if (paid !== null && signOf(paid) > 0) {
    faults.push(invalid('paymentsAndAdjustments', 'paymentsAndAdjustments must be 0 or less'));
  }
  return [...faults, ...currencyFaults(row.currency), ...endFaults(row)];
}

/** The amounts of an imported invoice, in the minor units of its currency. */
export interface ImportedAmounts {
  readonly currentAmountDue: Decimal;
  /** What was paid before; 0 or less. */
  readonly paymentsAndAdjustments: Decimal;
  /** previousBalance is 0.00, so this is open as well, and the ledger's entry. */
  readonly totalDue: Decimal;
}

export type SummedRow =
  | { readonly amounts: ImportedAmounts; readonly faults: null }
  | { readonly amounts: null; readonly faults: readonly RowFault[] };

/**
 * The amounts of a row with the amounts of its lines, or what is wrong with it.
 *
 * @param currency the invoice's
 * @example summedRow({ ...row, paymentsAndAdjustments: '-40' }, ['100.00'], 'USD').amounts
 *   // currentAmountDue 100.00, paymentsAndAdjustments -40.00, totalDue 60.00
 */
export function summedRow(
  row: Pick<InvoiceRow, 'status' | 'currentAmountDue' | 'paymentsAndAdjustments'>,
  lines: readonly Decimal[],
  currency: string,
): SummedRow {
  if (lines.length === 0) {
    return faulty(required('invoiceNumber', 'no good line item names this invoiceNumber'));
  }
  const current = sum(lines);
  const stated = row.currentAmountDue;
  if (stated !== null && compare(stated, current) !== 0) {
    const message = `currentAmountDue differs from the sum of the lines, ${shown(current)}`;
    return faulty(invalid('currentAmountDue', message));
  }
  if (signOf(current) < 0) {
    return faulty(invalid('currentAmountDue', `the lines come to less than 0, ${shown(current)}`));
  }
  const paid = paidBefore(row, current);
  const [imprecise] = precisionFaults('paymentsAndAdjustments', paid, currency);
  if (imprecise !== undefined) return faulty(imprecise);
  const total = add(current, paid);
  if (signOf(total) < 0) {
    const message = `paymentsAndAdjustments is more than the lines come to, ${shown(current)}`;
    return faulty(invalid('paymentsAndAdjustments', message));
  }
  if (row.status === 'Paid' && signOf(total) > 0) {
    const message = `status Paid leaves nothing open, but ${shown(total)} would be`;
    return faulty(invalid('paymentsAndAdjustments', message));
  }
  return {
    amounts: {
      currentAmountDue: shown(current),
      paymentsAndAdjustments: shown(paid),
      totalDue: shown(total),
    },
    faults: null,
  };

  function shown(amount: Decimal): Decimal {
    return formatAmount(currency, amount);
  }
}

const faulty = (fault: RowFault): SummedRow => ({ amounts: null, faults: [fault] });

/** Of a Paid invoice all was paid; its cell may leave that out. */
function paidBefore(
  { status, paymentsAndAdjustments: paid }: Pick<InvoiceRow, 'status' | 'paymentsAndAdjustments'>,
  current: Decimal,
): Decimal {
  if (status === 'Paid' && (paid === null || signOf(paid) === 0)) return negate(current);
  return paid ?? '0';
}
