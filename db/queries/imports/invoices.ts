/** Writes imported invoices, some hundred in each statement. */
import type { InvoiceStatus } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';
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
  into: 'invoice_line',
  columns: {
    id: 'bigint',
    invoice_id: 'bigint',
    position: 'int',
    contract_code: 'text?',
    imported_order_number: 'text?',
    invoice_text: 'text?',
    billing_start_date: 'date?',
    billing_end_date: 'date?',
    line_amount_total: 'numeric',
  },
});

export type LineInsert = InsertedBy<typeof insertInvoiceLines>;

export const insertInvoiceCharges = inserting('insert-imported-charges', {
  into: 'invoice_charge',
  columns: {
    invoice_line_id: 'bigint',
    price_code: 'text?',
    accounting_code: 'text?',
    invoice_text: 'text?',
    billing_start_date: 'date?',
    billing_end_date: 'date?',
    charge_date: 'date',
    unit_price: 'numeric?',
    quantity: 'numeric?',
    amount: 'numeric',
  },
  values: { position: '1', kind: `'manual'`, is_percent: 'false' },
});

export type ChargeInsert = InsertedBy<typeof insertInvoiceCharges>;
