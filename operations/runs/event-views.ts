/** Reads the objects of events as GET shows them. */
import type { EventObject } from '../../domain/events/events.ts';
import type { Dependencies, ReadEventViews, TenantInfo } from '../context/context.ts';
import type { Reader } from '../context/listing.ts';
import { readCustomers } from '../customers/read.ts';
import { readInvoices } from '../invoices/read.ts';
import { readOrders } from '../orders/read.ts';
import { readPayments } from '../payments/read.ts';
import { readTransitions } from '../standing/transitions.ts';

type ReadOne = (
  dependencies: Dependencies,
  tx: Reader,
  tenant: TenantInfo,
  ids: readonly number[],
) => Promise<readonly { readonly id: number }[]>;

const readers: Readonly<Partial<Record<EventObject, ReadOne>>> = {
  customer: readCustomers,
  customerTransition: (_, tx, _tenant, ids) => readTransitions(tx, ids),
  subscriptionOrder: (_, tx, tenant, ids) => readOrders(tx, tenant, ids),
  invoice: (_, tx, tenant, ids) => readInvoices(tx, tenant, ids),
  payment: (_, tx, tenant, ids) => readPayments(tx, tenant, ids),
};

export const readEventViews: ReadEventViews = async (dependencies, tx, tenant, { kind, ids }) => {
  const views = (await readers[kind]?.(dependencies, tx, tenant, ids)) ?? [];
  return new Map(views.map((view) => [view.id, view]));
};
