/** The documents of events. */
import { z } from 'zod';
import { eventObjects, eventTypes, type EventObject } from '../../../domain/events/events.ts';
import { compile } from '../../xml/codec.ts';
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

export type EventDocument = z.output<typeof eventSchema>;

export const eventCodec = compile(root('event', eventSchema));
export const eventList = compile(root('list', listOf('event', eventSchema)));
