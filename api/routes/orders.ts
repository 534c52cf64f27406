/** Subscription orders: make, read, list, change, and the actions on them. */
import { z } from 'zod';
import { orderStatuses } from '../../domain/model.ts';
import type { NumberedAddress } from '../../operations/locks.ts';
import { createOrder } from '../../operations/order-create.ts';
import { listOrders, readOrder } from '../../operations/order-read.ts';
import {
  generateForOrder,
  moveOrder,
  orderEditability,
  updateOrder,
} from '../../operations/order-update.ts';
import type { TenantInfo, Work } from '../../operations/services.ts';
import { route } from '../route.ts';
import type { Route } from '../route.ts';
import { canEditCodec, orderCodec, orderList, orderRequest } from '../xml/schemas/order.ts';
import type { OrderDocument, OrderRequest } from '../xml/schemas/order.ts';
import { boolean, enumeration, text } from '../xml/types.ts';
import { orderDocument, orderInput } from './order-documents.ts';
import { extCustomerRef, numberOf, objectId, page, windows, windowsOf } from './queries.ts';
import { found, nudgeOrder, reading, writing } from './services.ts';
import type { ApiServices } from './services.ts';

const byNumber = z.object({ orderNumber: text() });
const addressOf = (query: z.output<typeof byNumber>): NumberedAddress => ({
  number: numberOf(query.orderNumber),
});

export function orderRoutes(services: ApiServices): Route[] {
  return [
    ...readRoutes(services),
    createRoute(services),
    ...updateRoutes(services),
    ...actionRoutes(services, 'suspend'),
    ...actionRoutes(services, 'activate'),
    ...actionRoutes(services, 'generateInvoice'),
    ...canEditRoutes(services),
  ];
}

function readRoutes(services: ApiServices): Route[] {
  const read = (tenant: TenantInfo, address: NumberedAddress) =>
    reading(services, tenant, async (tx) =>
      orderDocument(found('order', await readOrder(tx, tenant, address))),
    );
  return [
    route({
      method: 'GET',
      path: '/order/:id',
      summary: 'An order with its line items',
      response: orderCodec,
      handler: ({ tenant, id }) => read(tenant, { id }),
    }),
    route({
      method: 'GET',
      path: '/order',
      summary: 'An order by its number',
      query: byNumber,
      response: orderCodec,
      handler: ({ tenant, query }) => read(tenant, addressOf(query)),
    }),
    route({
      method: 'GET',
      path: '/orders',
      summary: 'Orders, the newest first',
      query: z.object({
        ...page,
        ...windows,
        status: enumeration(orderStatuses).optional(),
        customerId: objectId().optional(),
      }),
      response: orderList,
      handler: ({ tenant, query }) =>
        reading(services, tenant, async (tx) => {
          const { offset, max, status = null, customerId = null } = query;
          const filter = { offset, max, status, customerId, ...windowsOf(query, tenant) };
          return (await listOrders(tx, tenant, filter)).map(orderDocument);
        }),
    }),
  ];
}

function createRoute(services: ApiServices): Route {
  return route({
    method: 'POST',
    path: '/orders',
    summary: 'Make an order, and where asked for its first invoice',
    status: 201,
    query: z.object({
      extCustomerRef: extCustomerRef().optional(),
      generateInvoice: boolean().default(false),
      forceInvoiceGeneration: boolean().default(false),
    }),
    request: orderRequest,
    response: orderCodec,
    handler: ({ tenant, query, body }) =>
      changing(services, tenant, (work) => createOrder(services, work, orderInput(body), query)),
  });
}

/** Does the work, reads the order that it names, and after the commit wakes its workflow. */
async function changing(
  services: ApiServices,
  tenant: TenantInfo,
  change: (work: Work) => Promise<number>,
): Promise<OrderDocument> {
  const order = await writing(services, tenant, async (work) => {
    const id = await change(work);
    return orderDocument(found('order', await readOrder(work.tx, tenant, { id })));
  });
  nudgeOrder(services, tenant, order.id);
  return order;
}

function updateRoutes(services: ApiServices): Route[] {
  const update = (tenant: TenantInfo, address: NumberedAddress, body: OrderRequest) =>
    changing(services, tenant, (work) => updateOrder(services, work, address, orderInput(body)));
  const shared = {
    method: 'PUT',
    summary: 'Change an order, or only its status',
    request: orderRequest,
    response: orderCodec,
  } as const;
  return [
    route({
      ...shared,
      path: '/order/:id',
      handler: ({ tenant, id, body }) => update(tenant, { id }, body),
    }),
    route({
      ...shared,
      path: '/order',
      query: byNumber,
      handler: ({ tenant, query, body }) => update(tenant, addressOf(query), body),
    }),
  ];
}

type Action = 'suspend' | 'activate' | 'generateInvoice';

const summaries: Readonly<Record<Action, string>> = {
  suspend: 'Hold an order: it bills nothing until it is activated',
  activate: 'Take a held order up again',
  generateInvoice: "Bill everything due of the order's customer now",
};

async function act(
  services: ApiServices,
  work: Work,
  action: Action,
  address: NumberedAddress,
): Promise<number> {
  if (action === 'suspend') return moveOrder(services, work, address, 'Suspended');
  if (action === 'activate') return moveOrder(services, work, address, 'Active');
  await generateForOrder(services, work, address);
  const { id } = found('order', await readOrder(work.tx, work.tenant, address));
  return id;
}

function actionRoutes(services: ApiServices, action: Action): Route[] {
  const handle = (tenant: TenantInfo, address: NumberedAddress) =>
    changing(services, tenant, (work) => act(services, work, action, address));
  const shared = {
    method: 'POST',
    actions: [action],
    summary: summaries[action],
    response: orderCodec,
  } as const;
  return [
    route({ ...shared, path: '/order/:id', handler: ({ tenant, id }) => handle(tenant, { id }) }),
    route({
      ...shared,
      path: '/order',
      query: byNumber,
      handler: ({ tenant, query }) => handle(tenant, addressOf(query)),
    }),
  ];
}

function canEditRoutes(services: ApiServices): Route[] {
  const ask = (tenant: TenantInfo, address: NumberedAddress) =>
    writing(services, tenant, (work) => orderEditability(work, address));
  const shared = {
    method: 'GET',
    summary: 'Whether an order may be changed, and why not',
    response: canEditCodec,
  } as const;
  return [
    route({
      ...shared,
      path: '/order/:id/canEdit',
      handler: ({ tenant, id }) => ask(tenant, { id }),
    }),
    route({
      ...shared,
      path: '/order/canEdit',
      query: byNumber,
      handler: ({ tenant, query }) => ask(tenant, addressOf(query)),
    }),
  ];
}
