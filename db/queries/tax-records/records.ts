/** The rows of records at tax providers, as billing and cancelling write them. */
import type { WrittenAddress } from '../../../domain/tax/documents.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { TaxRecord } from '../../entities/taxes.ts';
import type { RowOf } from '../../entities/rows.ts';
import { inserting, type InsertedBy } from '../context/insertion.ts';

/** A row that the workflow has work with, as the partial index says it. */
export const isOpen = `state in ('toRecord', 'toVoid')`;

/** What is kept of an invoice, or of a return, until it is recorded. */
export type StoredDocument = NonNullable<RowOf<typeof TaxRecord, 'document'>['document']>;

/** Rows with a `payment_id` are returns. */
export const insertTaxRecords = inserting('insert-tax-records', {
  into: TaxRecord,
  columns: ['invoiceId', 'paymentId', 'document', 'expectedTotal', 'expectedTax'],
});

export type TaxRecordInsert = InsertedBy<typeof insertTaxRecords>;

/** The tenant's address, whether or not a provider taxes for it now. */
export async function readShipFrom(tx: Tx): Promise<Partial<WrittenAddress>> {
  const [row] = await tx.query<{ address: Partial<WrittenAddress> | null }>(
    `select file->'address' as address from tenant where id = $1`,
    [tx.tenantId],
    'ship-from',
  );
  return row?.address ?? {};
}

/**
 * An invoice was cancelled: its record is voided, after any call of which no answer is known. One
 * that nobody began to record is none of the provider's. Other invoices have no row. What was given
 * back of it stays, so no invoice with returns is cancelled.
 */
export function voidTaxRecord(tx: Tx, invoiceId: number): void {
  tx.send(
    `update tax_record set document = null, opened_at = now(), failures = 0, failing_since = null,
       trouble = null, error_code = null,
       state = case when attempts = 0 then 'voided' else 'toVoid' end,
       next_attempt_at = greatest(leased_until, now())
     where tenant_id = $1 and invoice_id = $2 and state in ('toRecord', 'recorded')`,
    [tx.tenantId, invoiceId],
    'void-tax-record',
  );
}
