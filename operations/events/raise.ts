/** Raises events in the transaction that they speak of. */
import type { EventType } from '../../domain/events/events.ts';
import type { OperationContext } from '../context/context.ts';

export interface RaisedEvent {
  readonly type: EventType;
  /** Null only for an event that concerns no customer. */
  readonly customerId: number | null;
  /** The object; its kind follows from the type. */
  readonly objectId: number;
  readonly objectVersion?: number | undefined;
  /** Small facts that the object does not tell. */
  readonly detail?: Readonly<Record<string, string | number | boolean>> | undefined;
}

export type Raising = Pick<OperationContext, 'tx' | 'time'>;

/**
 * Inserts the events in this order. The transaction must have locked their customers, so that the
 * ids of a customer's events have the order of its transactions.
 */
export function raise({ tx, time }: Raising, events: readonly RaisedEvent[]): void {
  if (events.length === 0) return;
  tx.send(
    `insert into event
       (tenant_id, type, customer_id, object_id, object_version, detail, occurred_at)
     select $1, r.type, r."customerId", r."objectId", r."objectVersion", r.detail, $3
     from json_to_recordset($2) as r(type text, "customerId" bigint, "objectId" bigint,
       "objectVersion" int, detail jsonb)`,
    [tx.tenantId, JSON.stringify(events), time.now],
    'raise-events',
  );
}
