/** Keeps the documents of events that an endpoint subscribes to, in the events' transaction. */
import { eventObjects, type EventObject } from '../../domain/events/events.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { EventDocument } from '../../db/entities/events.ts';
import { inserting } from '../../db/queries/context/insertion.ts';
import type { OperationContext, RaisedRow } from '../context/context.ts';

/** Keeps the documents of events by a statement of its own. */
export type KeepRows = (events: readonly RaisedRow[]) => void;

/** Reads the objects of one kind by id, those that exist. Views are plain JSON. */
export type ReadViews = (objects: {
  readonly kind: EventObject;
  readonly ids: readonly number[];
}) => Promise<ReadonlyMap<number, object>>;

export interface DocumentsOf {
  /** For kinds whose rows need not pass through this process. */
  readonly keepRows: Readonly<Partial<Record<EventObject, KeepRows>>>;
  readonly readViews: ReadViews;
}

/**
 * Reads the objects as GET would, and keeps them with their events. It is the last step before the
 * commit, so a document shows its object as the transaction leaves it.
 */
export async function keepDocumentsOf(
  { tx, tenant, raised }: OperationContext,
  { keepRows, readViews }: DocumentsOf,
): Promise<void> {
  // The views are read by plain statements, which do not see pending changes of managed entities.
  await tx.flush();
  const rows = (await Promise.all(raised)).flat();
  const wanted = rows.filter(({ type }) => tenant.subscribedEvents.includes(type));
  for (const [kind, events] of Map.groupBy(wanted, ({ type }) => eventObjects[type])) {
    const keep = keepRows[kind];
    if (keep !== undefined) {
      keep(events);
      continue;
    }
    const ids = [...new Set(events.map(({ objectId }) => objectId))];
    insertDocuments(tx, events, await readViews({ kind, ids }));
  }
}

function insertDocuments(
  tx: Tx,
  events: readonly RaisedRow[],
  views: ReadonlyMap<number, object>,
): void {
  const documents = events.flatMap(({ id, objectId }) => {
    const document = views.get(objectId);
    return document === undefined ? [] : [{ eventId: id, document }];
  });
  insertRows(tx, documents);
}

const insertRows = inserting('keep-documents', {
  into: EventDocument,
  columns: ['eventId', 'document'],
});
