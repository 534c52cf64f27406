/** Events: the feed, and sending one again. */
import { z } from 'zod';
import { type EventObject, eventObjects, eventTypes } from '../../../domain/events/events.ts';
import { type EventView, listEvents, resendEvent } from '../../../operations/events/read.ts';
import { page } from '../../calls/queries.ts';
import { type Route, route, writeRoute } from '../../calls/route.ts';
import { type RouteDependencies, reading } from '../../calls/services.ts';
import {
  ID_MAX,
  attribute,
  date,
  enumeration,
  id,
  listOf,
  reference,
  root,
} from '../../xml/types.ts';
import { compile } from '../../xml/codec.ts';

export function eventRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/events',
      summary: 'The feed of events, in the order of their numbers',
      right: 'read',
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
      audited: 'event',
      right: 'write',
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

/* The documents of events. */

const objectTypes = Object.values(eventObjects);

const eventSchema = z.strictObject({
  id: id(),
  sequence: attribute(z.int().min(1).max(ID_MAX)).optional(),
  type: attribute(enumeration(eventTypes)),
  customer: reference().nullable(),
  object: z.strictObject({
    id: id(),
    type: attribute(enumeration([...new Set(objectTypes)] as [EventObject, ...EventObject[]])),
  }),
  dateCreated: date(),
});

type EventDocument = z.output<typeof eventSchema>;

const eventCodec = compile(root('event', eventSchema));
const eventList = compile(root('list', listOf('event', eventSchema)));
