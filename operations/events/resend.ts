/** Asks for an event to be sent again to the endpoints that subscribe to it. */
import { DomainError } from '../../domain/errors.ts';
import type { OperationContext } from '../context/context.ts';
import { readEvent, type EventView } from './read.ts';

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
