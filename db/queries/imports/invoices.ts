/** Writes imported invoices, some hundred in each statement. */
import {
  type SeriesState,
  type WrittenSeries,
  numberingOf,
} from '../../../domain/invoices/number-series.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { InvoiceCharge, InvoiceLine, Invoice } from '../../entities/invoices.ts';
import { nextNumbers } from '../context/numbers.ts';
import { inserting, type InsertedBy } from '../context/insertion.ts';
import { frozenParties } from '../parties/parties.ts';

/** Those of these numbers that invoices or their cancellations have. */
export async function readNumbersTaken(
  tx: Tx,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ number: string }>(
    `select invoice_number as number from invoice
     where tenant_id = $1 and invoice_number = any($2)
     union all
     select cancellation_number from cancellation
     where tenant_id = $1 and cancellation_number = any($2)`,
    [tx.tenantId, numbers],
    'numbers-taken',
  );
  return new Set(rows.map(({ number }) => number));
}

/** Those of these customers that have money which is not applied to anything. */
export async function readWithMoney(tx: Tx, customerIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ customerId: number }>(
    `select distinct customer_id from payment
     where tenant_id = $1 and customer_id = any($2) and balance > 0`,
    [tx.tenantId, customerIds],
    'customers-with-money',
  );
  return rows.map((row) => row.customerId);
}

export const insertInvoices = inserting('insert-imported-invoices', {
  into: Invoice,
  columns: [
    'id',
    'invoiceNumber',
    'status',
    'outstandingBalance',
    'customerId',
    'currency',
    'invoiceDate',
    'dueDate',
    'billingStartDate',
    'billingEndDate',
    'paymentsAndAdjustments',
    'currentAmountDue',
    'totalDue',
    'notes',
  ],
  values: { previousBalance: '0', isAutoPay: 'false', isImported: 'true', ...frozenParties },
  at: { createdAt: 'now', updatedAt: 'now' },
});

export type InvoiceInsert = InsertedBy<typeof insertInvoices>;

export const insertInvoiceLines = inserting('insert-imported-lines', {
  into: InvoiceLine,
  columns: [
    'id',
    'invoiceId',
    'position',
    'contractCode',
    'importedOrderNumber',
    'invoiceText',
    'billingStartDate',
    'billingEndDate',
    'lineAmountTotal',
  ],
});

export type LineInsert = InsertedBy<typeof insertInvoiceLines>;

export const insertInvoiceCharges = inserting('insert-imported-charges', {
  into: InvoiceCharge,
  columns: [
    'invoiceLineId',
    'priceCode',
    'accountingCode',
    'invoiceText',
    'billingStartDate',
    'billingEndDate',
    'chargeDate',
    'unitPrice',
    'quantity',
    'amount',
  ],
  values: { position: '1', kind: `'manual'`, isPercent: 'false' },
});

export type ChargeInsert = InsertedBy<typeof insertInvoiceCharges>;

/**
 * The series of the file, with what they have given. No other file is applied before the commit,
 * which might give one of these numbers.
 */
export async function readSeries(tx: Tx): Promise<readonly SeriesState[]> {
  const [row] = await tx.query<{ numbering: Readonly<Record<string, WrittenSeries>> }>(
    `select file->'numbering' as numbering from tenant where id = $1 for share`,
    [tx.tenantId],
    'numbering',
  );
  const { invoice, creditNote } = numberingOf(row?.numbering ?? {});
  const all = creditNote === null ? [invoice] : [invoice, creditNote];
  return await Promise.all(
    all.map(async (series) => ({ series, next: await nextNumbers(tx, series) })),
  );
}
