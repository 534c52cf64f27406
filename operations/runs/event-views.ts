/** Reads the objects of events as GET shows them, and keeps them with their events. */
import type { EventObject } from '../../domain/events/events.ts';
import type { Dependencies, KeepDocuments, TenantInfo } from '../context/context.ts';
import type { Reader } from '../context/listing.ts';
import { keepDocumentsOf } from '../events/documents.ts';
import { readCustomers } from '../customers/read.ts';
import { readInvoices } from '../invoices/read.ts';
import { readOrders } from '../orders/read.ts';
import { readPayments } from '../payments/read.ts';
import { readTransitions } from '../standing/transitions.ts';

type ReadViews = (
  dependencies: Dependencies,
  tx: Reader,
  tenant: TenantInfo,
  ids: readonly number[],
) => Promise<readonly { readonly id: number }[]>;

const readers: Readonly<Partial<Record<EventObject, ReadViews>>> = {
  customer: readCustomers,
  customerTransition: (_, tx, _tenant, ids) => readTransitions(tx, ids),
  subscriptionOrder: (_, tx, tenant, ids) => readOrders(tx, tenant, ids),
  invoice: (_, tx, tenant, ids) => readInvoices(tx, tenant, ids),
  payment: (_, tx, tenant, ids) => readPayments(tx, tenant, ids),
};

/** The objects of one kind by id; those that exist. Views are plain JSON. */
export async function readEventViews(
  dependencies: Dependencies,
  tx: Reader,
  tenant: TenantInfo,
  { kind, ids }: { readonly kind: EventObject; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, object>> {
  const views = (await readers[kind]?.(dependencies, tx, tenant, ids)) ?? [];
  return new Map(views.map((view) => [view.id, view]));
}

/** For entry points: keeps the documents of the events that a transaction raised. */
export const keepEventDocuments: KeepDocuments = (dependencies, context) => {
  const { tx, tenant } = context;
  return keepDocumentsOf(context, (objects) => readEventViews(dependencies, tx, tenant, objects));
};
