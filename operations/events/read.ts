/** Events as the feed lists them. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { type Reader, dayOf } from '../context/listing.ts';
import type { Event } from '../../db/entities/events.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { DomainError } from '../../domain/errors.ts';
import type { OperationContext } from '../context/context.ts';

export interface EventView extends RowOf<
  typeof Event,
  | 'id'
  | 'type'
  /** Null until the sequencer has numbered the event, which takes less than a second. */
  | 'sequence'
  /** Null for an event that concerns no customer. */
  | 'customerId'
  | 'objectId'
> {
  readonly dateCreated: IsoDate;
}

const columns = `id, type, sequence, customer_id, object_id,
  ${dayOf('occurred_at', '$1')} as date_created`;

export interface FeedPosition {
  /** The sequence of the last event that the caller has read; 0 for the beginning. */
  readonly after: number;
  readonly max: number;
}

/** Numbered events in the order of their numbers: a later page never shows an earlier number. */
export function listEvents(
  tx: Reader,
  { timezone }: { readonly timezone: string },
  { after, max }: FeedPosition,
): Promise<EventView[]> {
  return tx.query<EventView & Record<string, unknown>>(
    `select ${columns} from event where sequence > $2 order by sequence limit $3`,
    [timezone, after, max],
    'list-events',
  );
}

async function readEvent(
  tx: Reader,
  { timezone }: { readonly timezone: string },
  id: number,
): Promise<EventView | undefined> {
  const [event] = await tx.query<EventView & Record<string, unknown>>(
    `select ${columns} from event where id = $2`,
    [timezone, id],
    'read-event',
  );
  return event;
}

/* Asks for an event to be sent again to the endpoints that subscribe to it. */

/**
 * The sequencer takes the request and calls its hooks; a second request before that changes
 * nothing. Throws event.unknown.
 */
export async function resendEvent(context: OperationContext, id: number): Promise<EventView> {
  const { tx, tenant } = context;
  const event = await readEvent(tx, tenant, id);
  if (event === undefined) {
    throw new DomainError('event.unknown', 'there is no such event', { value: String(id), id });
  }
  tx.send(
    `insert into event_resend (tenant_id, event_id) values ($1, $2)
     on conflict (tenant_id, event_id) where taken_at is null do nothing`,
    [tx.tenantId, id],
    'resend-event',
  );
  return event;
}
