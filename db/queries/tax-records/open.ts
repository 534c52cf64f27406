/** Reads what is left to record and to void, and what troubles it. */
import type { Tx } from '../../connection/tenancy.ts';
import { isOpen } from './records.ts';

/** One look into an index that has the open rows alone. */
export async function hasOpenTaxRecords(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ open: boolean }>(
    `select exists (select from tax_record where tenant_id = $1 and ${isOpen}) as open`,
    [tx.tenantId],
    'has-open-tax-records',
  );
  return row?.open ?? false;
}

export interface OpenTaxRecords {
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
        from tax_record where tenant_id = $1 and ${isOpen}) as wait_ms,
       (select floor(extract(epoch from min(failing_since)) * 1000)::float8
        from tax_record where tenant_id = $1 and trouble = 'silent') as silent`,
    [tx.tenantId, countedMax],
    'open-tax-records',
  );
  const { open = 0, waitMs = null, silent: silentSince = null } = row ?? {};
  return { open, waitMs: waitMs === null ? null : Math.max(0, waitMs), silentSince };
}

export interface TroubledRecord {
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
