/** Writes imported invoices, some hundred in each statement. */
import type { Tx } from '../../connection/tenancy.ts';
import { InvoiceCharge, InvoiceLine, Invoice } from '../../entities/invoices.ts';
import { inserting, type InsertedBy } from '../context/insertion.ts';
import { frozenParties } from '../parties/parties.ts';

/** Those of these numbers that imported invoices have; a number of the own sequence is another's. */
export async function readNumbersTaken(
  tx: Tx,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ importedNumber: string }>(
    'select imported_number from invoice where tenant_id = $1 and imported_number = any($2)',
    [tx.tenantId, numbers],
    'numbers-taken',
  );
  return new Set(rows.map((row) => row.importedNumber));
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
    'importedNumber',
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
  values: { previousBalance: '0', isAutoPay: 'false', ...frozenParties },
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

/** Reads where the tenant's own sequence of invoice numbers begins. */
export async function readFirstNumber(tx: Tx): Promise<bigint> {
  const [counter] = await tx.query<{ first: number }>(
    `select first from counter where tenant_id = $1 and kind = 'invoice'`,
    [tx.tenantId],
    'first-invoice-number',
  );
  if (counter === undefined) throw new Error('the tenant has no counter of invoices');
  return BigInt(counter.first);
}
