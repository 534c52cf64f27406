/** Events: the feed, and sending one again. */
import { z } from 'zod';
import { eventObjects } from '../../../domain/events/events.ts';
import { listEvents, type EventView } from '../../../operations/events/read.ts';
import { resendEvent } from '../../../operations/events/resend.ts';
import { page } from '../../calls/queries.ts';
import { route, writeRoute, type Route } from '../../calls/route.ts';
import { reading, type RouteDependencies } from '../../calls/services.ts';
import { ID_MAX } from '../../xml/types.ts';
import { eventCodec, eventList, type EventDocument } from './schema.ts';

export function eventRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/events',
      summary: 'The feed of events, in the order of their numbers',
      query: z.object({ after: z.int().min(0).max(ID_MAX).default(0), max: page.max }),
      response: eventList,
      async handler({ tenant, query }) {
        const events = await reading(dependencies, tenant, (tx) => listEvents(tx, tenant, query));
        return events.map(eventDocument);
      },
    }),
    writeRoute(dependencies, {
      method: 'POST',
      path: '/events/:id',
      actions: ['resend'],
      summary: 'Send an event again',
      status: 202,
      response: eventCodec,
      handler: ({ id, write }) =>
        write(async (context) => eventDocument(await resendEvent(context, id))),
    }),
  ];
}

function eventDocument({ customerId, objectId, ...event }: EventView): EventDocument {
  const { id, type, sequence, dateCreated } = event;
  return {
    id,
    ...(sequence === null ? {} : { sequence }),
    type,
    customer: customerId === null ? null : { id: customerId },
    object: { id: objectId, type: eventObjects[type] },
    dateCreated,
  };
}
