/** Reads the objects of events as GET shows them, and keeps them with their events. */
import type { EventObject } from '../../domain/events/events.ts';
import type { Dependencies, KeepDocuments, TenantInfo } from '../context/context.ts';
import type { Reader } from '../context/listing.ts';
import { keepDocumentsOf } from '../events/documents.ts';
import { readCustomers } from '../customers/read.ts';
import { readBatches } from '../imports/read.ts';
import { invoiceOfDocument, keepInvoices, readInvoices } from '../invoices/read.ts';
import { readOrders } from '../orders/read.ts';
import { readPlansOfInstallments } from '../payment-plans/read.ts';
import { readPayments } from '../payments/read.ts';
import { readSignups } from '../signups/read.ts';
import { readTransitions } from '../standing/transitions.ts';

type ReadViews = (
  dependencies: Dependencies,
  tx: Reader,
  tenant: TenantInfo,
  ids: readonly number[],
) => Promise<ReadonlyMap<number, object>>;

const readers: Readonly<Partial<Record<EventObject, ReadViews>>> = {
  customer: async (...read) => byId(await readCustomers(...read)),
  customerTransition: async (_, tx, _tenant, ids) => byId(await readTransitions(tx, ids)),
  subscriptionOrder: async (_, tx, tenant, ids) => byId(await readOrders(tx, tenant, ids)),
  invoice: async (_, tx, tenant, ids) => byId(await readInvoices(tx, tenant, ids)),
  payment: async (_, tx, tenant, ids) => byId(await readPayments(tx, tenant, ids)),
  // The plan of an installment shows what became of it.
  installment: (_, tx, _tenant, ids) => readPlansOfInstallments(tx, ids),
  batchProcess: async (dependencies, tx, _tenant, ids) =>
    byId(await readBatches(dependencies, tx, ids)),
  signup: async (_, tx, tenant, ids) => byId(await readSignups(tx, tenant, ids)),
};

const byId = (views: readonly { readonly id: number }[]): ReadonlyMap<number, object> =>
  new Map(views.map((view) => [view.id, view]));

/** The objects of one kind by id; those that exist. Views are plain JSON. */
export async function readEventViews(
  dependencies: Dependencies,
  tx: Reader,
  tenant: TenantInfo,
  { kind, ids }: { readonly kind: EventObject; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, object>> {
  return (await readers[kind]?.(dependencies, tx, tenant, ids)) ?? new Map();
}

/** For entry points: keeps the documents of the events that a transaction raised. */
export const keepEventDocuments: KeepDocuments = (dependencies, context) => {
  const { tx, tenant } = context;
  return keepDocumentsOf(context, {
    keepRows: { invoice: (events) => keepInvoices(tx, tenant, events) },
    readViews: (objects) => readEventViews(dependencies, tx, tenant, objects),
  });
};

/** A kept document as GET showed its object. */
export function viewOfDocument(kind: EventObject, document: unknown): unknown {
  return kind === 'invoice' ? invoiceOfDocument(document) : document;
}
