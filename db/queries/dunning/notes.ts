/** What people ask of a dunning: kept with their reason, and done once. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { oneRow } from '../context/insertion.ts';
import { DunningNote as KeptNote } from '../../entities/collection.ts';
import type { RowOf } from '../../entities/rows.ts';

export interface DunningNote extends RowOf<typeof KeptNote, 'customerId' | 'action' | 'reason'> {
  /** @see UpdateRequest */
  readonly requestId: string;
  /** Who asks for it. */
  readonly by?: string | undefined;
}

const noteRow = oneRow({
  into: KeptNote,
  columns: ['customerId', 'action', 'reason', 'notedOn', 'notedAt'],
});

export function insertNote(
  tx: Tx,
  { customerId, action, reason }: DunningNote,
  { now, today }: { readonly now: Date; readonly today: IsoDate },
): Promise<unknown> {
  const row = { customerId, action, reason, notedOn: today, notedAt: now };
  return tx.query(noteRow.text, noteRow.values(tx.tenantId, row), 'insert-dunning-note');
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
