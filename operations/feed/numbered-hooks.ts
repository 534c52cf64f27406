/** What follows numbered events, in the transaction that numbers them. */
import type { NumberedHook } from '../events/sequencer.ts';
import { queueMailsOf } from '../../db/queries/mail/queue.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';
import { type Nudge, mailNudge } from '../context/nudge.ts';
import { hasOpenTaxRecords } from '../../db/queries/tax-records/records.ts';
import type { NumberedEvent } from '../../db/queries/events/number.ts';
import { subscribedEndpoints } from '../../db/queries/callbacks/read.ts';
import { promoteLanes, sendAgain } from '../../db/queries/callbacks/write.ts';
import { giveUpAt } from '../../domain/callbacks/pace.ts';

/* Queues the mails that follow numbered events. */

/** Runs in the transaction that numbers the events, so that each of them is mailed once. */
export async function queueMails(
  context: OperationContext,
  events: readonly { readonly id: number }[],
): Promise<void> {
  const queued = await queueMailsOf(
    context.tx,
    events.map(({ id }) => id),
  );
  if (queued > 0) enqueue(context, [mailNudge]);
}

/* Wakes the workflow that records invoices at the tenant's tax provider, after their events. */

/** The tenant's one workflow of tax records. */
export const taxRecordNudge: Nudge = { kind: 'taxes', objectId: null };

/**
 * Runs in the transaction that numbers the events: one row of the outbox for each billing
 * transaction would let batches wait for each other. The rows are asked, not the tenant's file,
 * because a tenant that has left its provider still has to void there what it cancels.
 */
async function nudgeTaxRecords(
  context: OperationContext,
  events: readonly NumberedEvent[],
): Promise<void> {
  const concerns = events.some(
    ({ type }) =>
      type === 'invoice.created' || type === 'invoice.cancelled' || type === 'credit.created',
  );
  if (concerns && (await hasOpenTaxRecords(context.tx))) enqueue(context, [taxRecordNudge]);
}

/* Wakes the endpoints of new events, in the transaction that numbers them. */

export const callbackHook = {
  name: 'callbacks',

  async numbered(context: OperationContext, events: readonly NumberedEvent[]): Promise<void> {
    nudge(context, await subscribedEndpoints(context.tx, events));
  },

  async resent(context: OperationContext, events: readonly NumberedEvent[]): Promise<void> {
    const { tx } = context;
    const [now] = await tx.query<{ now: Date }>('select now() as now');
    if (!now) return;
    const eventIds = events.map(({ id }) => id);
    const again = await sendAgain(tx, eventIds, new Date(giveUpAt(now.now.getTime())));
    const byEndpoint = Map.groupBy(again, ({ endpointId }) => endpointId);
    for (const [endpointId, own] of byEndpoint) {
      promoteLanes(tx, { endpointId, now: now.now, lanes: own.map(({ lane }) => lane) });
    }
    nudge(context, [...byEndpoint.keys()]);
  },
};

function nudge(context: OperationContext, endpoints: readonly number[]): void {
  enqueue(
    context,
    endpoints.map((objectId) => ({ kind: 'callbacks', objectId })),
  );
}

/** Called in this order. */
export const numberedHooks: readonly NumberedHook[] = [
  callbackHook,
  { name: 'mail', numbered: queueMails },
  { name: 'tax records', numbered: nudgeTaxRecords },
];
