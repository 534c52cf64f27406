/** Writes imported invoices, some hundred in each statement. */
import type { InvoiceStatus } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { InvoiceCharge, InvoiceLine } from '../../entities/invoices.ts';
import { inserting, only, type InsertedBy } from '../context/insertion.ts';

/** Those of these numbers that imported invoices have; a number of the own sequence is another's. */
export async function readNumbersTaken(
  tx: Tx,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ imported_number: string }>(
    'select imported_number from invoice where tenant_id = $1 and imported_number = any($2)',
    [tx.tenantId, numbers],
    'numbers-taken',
  );
  return new Set(rows.map((row) => row.imported_number));
}

/** Those of these customers that have money which is not applied to anything. */
export async function readWithMoney(tx: Tx, customerIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ customer_id: number }>(
    `select distinct customer_id from payment
     where tenant_id = $1 and customer_id = any($2) and balance > 0`,
    [tx.tenantId, customerIds],
    'customers-with-money',
  );
  return rows.map((row) => row.customer_id);
}

export const insertInvoices = inserting('insert-imported-invoices', {
  into: 'invoice',
  columns: {
    id: 'bigint',
    imported_number: 'text',
    status: only<InvoiceStatus>('text'),
    outstanding_balance: 'numeric',
    customer_id: 'bigint',
    currency: 'text',
    invoice_date: 'date',
    due_date: 'date',
    billing_start_date: 'date?',
    billing_end_date: 'date?',
    payments_and_adjustments: 'numeric',
    current_amount_due: 'numeric',
    total_due: 'numeric',
    notes: 'text?',
  },
  values: { previous_balance: '0', is_auto_pay: 'false' },
  at: { created_at: 'now', updated_at: 'now' },
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
  values: { position: '1', kind: `'manual'`, is_percent: 'false' },
});

export type ChargeInsert = InsertedBy<typeof insertInvoiceCharges>;
