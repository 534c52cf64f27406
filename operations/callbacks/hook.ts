/** Wakes the endpoints of new events, in the transaction that numbers them. */
import { subscribedEndpoints } from '../../db/queries/callbacks/read.ts';
import { promoteLanes, sendAgain } from '../../db/queries/callbacks/write.ts';
import type { NumberedEvent } from '../../db/queries/events/number.ts';
import { giveUpAt } from '../../domain/callbacks/pace.ts';
import type { OperationContext } from '../context/context.ts';
import { enqueue } from '../outbox/enqueue.ts';

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
