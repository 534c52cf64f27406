/** The rows of records at tax providers, as billing and cancelling write them. */
import type { WrittenAddress } from '../../../domain/tax/documents.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { RowOf } from '../../entities/rows.ts';
import { TaxRecord } from '../../entities/taxes.ts';
import { inserting, type InsertedBy } from '../context/insertion.ts';

/** A row that the workflow has work with, as the partial index says it. */
export const isOpen = `state in ('toRecord', 'toVoid')`;

/** A credit note is recorded after the invoice of which it gives back. */
export const isInTurn = (record: string): string => `not exists (
  select from invoice note
  join tax_record original on original.tenant_id = note.tenant_id
    and original.invoice_id = note.credit_note_of and original.payment_id is null
    and original.state = 'toRecord'
  where note.tenant_id = ${record}.tenant_id and note.id = ${record}.invoice_id)`;

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

/* Reads what is left to record and to void, and what troubles it. */

/** One look into an index that has the open rows alone. */
export async function hasOpenTaxRecords(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ open: boolean }>(
    `select exists (select from tax_record where tenant_id = $1 and ${isOpen}) as open`,
    [tx.tenantId],
    'has-open-tax-records',
  );
  return row?.open ?? false;
}

interface OpenTaxRecords {
  readonly open: number;
  /** Until the next one is due, in milliseconds; null if none is open. */
  readonly waitMs: number | null;
  /** Since when the provider does not answer for one of them, in milliseconds since 1970. */
  readonly silentSince: number | null;
}

/** Counts up to the given number, so that a look at a backlog costs no more than at a few. */
export async function readOpenTaxRecords(tx: Tx, countedMax: number): Promise<OpenTaxRecords> {
  const [row] = await tx.query<{ open: number; waitMs: number | null; silent: number | null }>(
    `select
       (select count(*)::int from (
          select from tax_record where tenant_id = $1 and ${isOpen} limit $2) counted) as open,
       (select ceil(extract(epoch from min(next_attempt_at) - now()) * 1000)::float8
        from tax_record r where tenant_id = $1 and ${isOpen} and ${isInTurn('r')}) as wait_ms,
       (select floor(extract(epoch from min(failing_since)) * 1000)::float8
        from tax_record where tenant_id = $1 and trouble = 'silent') as silent`,
    [tx.tenantId, countedMax],
    'open-tax-records',
  );
  const { open = 0, waitMs = null, silent: silentSince = null } = row ?? {};
  return { open, waitMs: waitMs === null ? null : Math.max(0, waitMs), silentSince };
}

interface TroubledRecord {
  readonly invoiceId: number;
  readonly isReturn: boolean;
  readonly state: 'toRecord' | 'toVoid';
  readonly code: string;
  /** In milliseconds since 1970. */
  readonly nextAt: number;
}

/** Those that the provider refuses before those that it does not answer; the newest first. */
export function readTroubledRecords(tx: Tx, limit: number): Promise<TroubledRecord[]> {
  return tx.query<TroubledRecord & Record<string, unknown>>(
    `select invoice_id, payment_id is not null as is_return, state, error_code as code,
       floor(extract(epoch from next_attempt_at) * 1000)::float8 as next_at
     from tax_record where tenant_id = $1 and trouble is not null
     order by trouble, failing_since desc, invoice_id limit $2`,
    [tx.tenantId, limit],
    'troubled-tax-records',
  );
}
