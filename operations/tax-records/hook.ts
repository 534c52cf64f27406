/** Wakes the workflow that records invoices at the tenant's tax provider, after their events. */
import { hasOpenTaxRecords } from '../../db/queries/tax-records/records.ts';
import type { NumberedEvent } from '../../db/queries/events/number.ts';
import type { OperationContext } from '../context/context.ts';
import type { Nudge } from '../context/nudge.ts';
import { enqueue } from '../outbox/enqueue.ts';

/** The tenant's one workflow of tax records. */
export const taxRecordNudge: Nudge = { kind: 'taxes', objectId: null };

/**
 * Runs in the transaction that numbers the events: one row of the outbox for each billing
 * transaction would let batches wait for each other. The rows are asked, not the tenant's file,
 * because a tenant that has left its provider still has to void there what it cancels.
 */
export async function nudgeTaxRecords(
  context: OperationContext,
  events: readonly NumberedEvent[],
): Promise<void> {
  const concerns = events.some(
    ({ type }) =>
      type === 'invoice.created' || type === 'invoice.cancelled' || type === 'credit.created',
  );
  if (concerns && (await hasOpenTaxRecords(context.tx))) enqueue(context, [taxRecordNudge]);
}
