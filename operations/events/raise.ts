/** Raises events in the transaction that they speak of. */
import { noteObject } from '../../db/connection/audited.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { Event } from '../../db/entities/events.ts';
import { insertText } from '../../db/queries/context/insertion.ts';
import {
  eventObjects,
  eventTypes,
  type EventObject,
  type EventType,
} from '../../domain/events/events.ts';
import type { OperationContext, RaisedRow } from '../context/context.ts';
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
  batchProcess: kinds.batch.table,
  signup: kinds.signup.table,
};

const storedVersion = eventTypes
  .flatMap((type) => {
    const table = versioned[eventObjects[type]];
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
export function raise(context: OperationContext, events: readonly RaisedEvent[]): void {
  if (events.length === 0) return;
  for (const { type, objectId } of events) noteObject(context.tx, eventObjects[type], objectId);
  const isKnown = events.every(({ objectVersion }) => objectVersion !== undefined);
  send(context, {
    name: isKnown ? 'raise-events-of-versions' : 'raise-events',
    types: events.map(({ type }) => type),
    text: isKnown ? insertKnown : insertEvents,
    values: [JSON.stringify(events)],
  });
}

const inserted = {
  into: Event,
  rows: '$3',
  columns: ['type', 'customerId', 'objectId', 'objectVersion', 'detail'],
} as const;

const insertEvents = insertText({
  ...inserted,
  values: {
    objectVersion: `coalesce(r."objectVersion", case r.type ${storedVersion} end)`,
    occurredAt: '$2',
  },
});

/** PostgreSQL opens each table that a statement names, also where it looks at none. */
const insertKnown = insertText({ ...inserted, values: { occurredAt: '$2' } });

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
export function raiseFrom(context: OperationContext, raising: RaisingChange): void {
  const { name, type, change, values, where = 'true' } = raising;
  const text = `with changed as (${change})
     insert into event (tenant_id, type, customer_id, object_id, object_version, occurred_at)
     select $1, '${type}', customer_id, id, version, $2 from changed where ${where} order by id`;
  send(context, { name, types: [type], text, values });
}

interface RaisingStatement {
  readonly name: string;
  readonly types: readonly EventType[];
  readonly text: string;
  /** After the tenant and its present time. */
  readonly values: readonly unknown[];
}

/** Where no endpoint subscribes to the types, nothing waits for the statement's answer. */
function send({ tx, tenant, time, raised }: OperationContext, statement: RaisingStatement): void {
  const { name, types, text } = statement;
  const values = [tx.tenantId, time.now, ...statement.values];
  if (!types.some((type) => tenant.subscribedEvents.includes(type))) {
    tx.send(text, values, name);
    return;
  }
  const returning = `${text} returning id, type, object_id`;
  const rows = tx.query<RaisedRow & Record<string, unknown>>(returning, values, `${name}-kept`);
  // A failure fails the transaction as well, whoever awaits these rows.
  rows.catch(() => undefined);
  raised.push(rows);
}

/** Records that an object was deleted, so that the audit expects no fact for its events. */
export function noteRemoved(tx: Tx, objectId: number): void {
  tx.send(
    'insert into removed_object (tenant_id, object_id) values ($1, $2)',
    [tx.tenantId, objectId],
    'note-removed',
  );
}
