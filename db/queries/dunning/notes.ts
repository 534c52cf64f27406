/** What people ask of a dunning: kept with their reason, and done once. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface DunningNote {
  readonly customerId: number;
  readonly action: 'hold' | 'resume' | 'retryNow';
  readonly reason: string;
  /** @see UpdateRequest */
  readonly requestId: string;
}

export function insertNote(
  tx: Tx,
  { customerId, action, reason }: DunningNote,
  { now, today }: { readonly now: Date; readonly today: IsoDate },
): Promise<unknown> {
  return tx.query(
    `insert into dunning_note (tenant_id, customer_id, action, reason, noted_on, noted_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [tx.tenantId, customerId, action, reason, today, now],
    'insert-dunning-note',
  );
}

/** Holds it, or, without a reason, ends the hold. */
export function setHold(
  tx: Tx,
  { customerId, reason }: { readonly customerId: number; readonly reason: string | null },
  { now, today }: { readonly now: Date; readonly today: IsoDate },
): void {
  tx.send(
    `update dunning set held_on = case when $3::text is not null then $4::date end,
       held_reason = $3, version = version + 1, updated_at = $5
     where tenant_id = $1 and customer_id = $2 and closed_on is null`,
    [tx.tenantId, customerId, reason, today, now],
    'hold-dunning',
  );
}
