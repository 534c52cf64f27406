/** Raises events in the transaction that they speak of. */
import { eventObjects, eventTypes } from '../../domain/events/events.ts';
import type { EventObject, EventType } from '../../domain/events/events.ts';
import type { OperationContext } from '../context/context.ts';
import { kinds } from '../context/kinds.ts';

export interface RaisedEvent {
  readonly type: EventType;
  /** Null only for an event that concerns no customer. */
  readonly customerId: number | null;
  /** The object; its kind follows from the type. */
  readonly objectId: number;
  /** If it is absent, the version that the transaction has written so far. */
  readonly objectVersion?: number | undefined;
  /** Small facts that the object does not contain. */
  readonly detail?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** The tables of the objects that have a version. */
const versioned: Readonly<Partial<Record<EventObject, string>>> = {
  customer: kinds.customer.table,
  subscriptionOrder: kinds.order.table,
  invoice: kinds.invoice.table,
  payment: kinds.payment.table,
};

const storedVersion = eventTypes
  .flatMap((type) => {
    const object = eventObjects[type];
    const table = object === null ? undefined : versioned[object];
    return table === undefined ? [] : [`when '${type}' then ${versionIn(table)}`];
  })
  .join(' ');

function versionIn(table: string): string {
  return `(select o.version from ${table} o where o.tenant_id = $1 and o.id = r."objectId")`;
}

/**
 * Inserts the events in this order. The transaction must have locked their customers, so that the
 * ids of a customer's events have the order of its transactions.
 */
export function raise({ tx, time }: OperationContext, events: readonly RaisedEvent[]): void {
  if (events.length === 0) return;
  tx.send(
    `insert into event
       (tenant_id, type, customer_id, object_id, object_version, detail, occurred_at)
     select $1, r.type, r."customerId", r."objectId",
       coalesce(r."objectVersion", case r.type ${storedVersion} end), r.detail, $3
     from json_to_recordset($2) as r(type text, "customerId" bigint, "objectId" bigint,
       "objectVersion" int, detail jsonb)`,
    [tx.tenantId, JSON.stringify(events), time.now],
    'raise-events',
  );
}

export interface RaisingChange {
  /** The name of the prepared statement. */
  readonly name: string;
  readonly type: EventType;
  /**
   * A statement that returns id, customer_id and version of the changed objects. $1 is the tenant,
   * $2 the tenant's present time; its own values follow.
   */
  readonly change: string;
  readonly values: readonly unknown[];
  /** A condition over the returned rows. */
  readonly where?: string;
}

/** Changes many objects, and raises an event for each, by id, in one statement. */
export function raiseFrom({ tx, time }: OperationContext, raising: RaisingChange): void {
  const { name, type, change, values, where = 'true' } = raising;
  tx.send(
    `with changed as (${change})
     insert into event (tenant_id, type, customer_id, object_id, object_version, occurred_at)
     select $1, '${type}', customer_id, id, version, $2 from changed where ${where} order by id`,
    [tx.tenantId, time.now, ...values],
    name,
  );
}
