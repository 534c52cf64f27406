/** Subscription orders: make, read, list, change, and the actions on them. */
import { z } from 'zod';
import { orderStatuses } from '../../domain/model.ts';
import type { NumberedAddress } from '../../operations/locks.ts';
import { createOrder } from '../../operations/order-create.ts';
import { orderEditability } from '../../operations/order-editability.ts';
import { listOrders, readOrder } from '../../operations/order-read.ts';
import { generateForOrder, moveOrder, updateOrder } from '../../operations/order-update.ts';
import type { TenantInfo, Work } from '../../operations/services.ts';
import type { Answer } from '../answer.ts';
import { route, writeRoute } from '../route.ts';
import type { Route, Write } from '../route.ts';
import { mapInSlices } from '../slices.ts';
import { canEditCodec, orderCodec, orderList, orderRequest } from '../xml/schemas/order.ts';
import type { OrderDocument, OrderRequest } from '../xml/schemas/order.ts';
import { boolean, enumeration, text } from '../xml/types.ts';
import { orderDocument, orderInput } from './order-documents.ts';
import { extCustomerRef, numberOf, objectId, page, windows, windowsOf } from './queries.ts';
import { found, orderTarget, reading, readingMore } from './services.ts';
import type { ApiServices } from './services.ts';

const byNumber = z.object({ orderNumber: text() });
const addressOf = (query: z.output<typeof byNumber>): NumberedAddress => ({
  number: numberOf('order', query.orderNumber),
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
      orderDocument(found('order', await readOrder(tx, tenant, address), address)),
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
      async handler({ tenant, query, noteMiss }) {
        const { offset, max, status = null, customerId = null } = query;
        const filter = { offset, max, status, customerId, ...windowsOf(query, tenant) };
        const { rows, view } = await readingMore(services, tenant, (tx) =>
          listOrders(tx, tenant, filter),
        );
        if (rows.length === 0 && customerId !== null) noteMiss('customer', customerId);
        return mapInSlices(rows, (row) => orderDocument(view(row)));
      },
    }),
  ];
}

function createRoute(services: ApiServices): Route {
  return writeRoute(services, {
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
    handler: ({ query, body, write }) =>
      changing(write, async (work) => ({
        id: await createOrder(services, work, orderInput(body), query),
      })),
  });
}

/** Does the work, and answers with the order that it names. */
function changing(
  write: Write<OrderDocument>,
  change: (work: Work) => Promise<NumberedAddress>,
): Promise<Answer> {
  return write(async (work) => {
    const address = await change(work);
    return orderDocument(found('order', await readOrder(work.last, work.tenant, address), address));
  });
}

function updateRoutes(services: ApiServices): Route[] {
  const update = (write: Write<OrderDocument>, address: NumberedAddress, body: OrderRequest) =>
    changing(write, async (work) => ({
      id: await updateOrder(services, work, address, orderInput(body)),
    }));
  const shared = {
    method: 'PUT',
    summary: 'Change an order, or only its status',
    request: orderRequest,
    response: orderCodec,
  } as const;
  return [
    writeRoute(services, {
      ...shared,
      path: '/order/:id',
      changes: ({ id }) => orderTarget({ id }),
      handler: ({ write, id, body }) => update(write, { id }, body),
    }),
    writeRoute(services, {
      ...shared,
      path: '/order',
      query: byNumber,
      changes: ({ query }) => orderTarget(addressOf(query)),
      handler: ({ write, query, body }) => update(write, addressOf(query), body),
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
): Promise<NumberedAddress> {
  if (action === 'generateInvoice') await generateForOrder(services, work, address);
  else await moveOrder(services, work, address, action === 'suspend' ? 'Suspended' : 'Active');
  return address;
}

function actionRoutes(services: ApiServices, action: Action): Route[] {
  const handle = (write: Write<OrderDocument>, address: NumberedAddress) =>
    changing(write, (work) => act(services, work, action, address));
  const shared = {
    method: 'POST',
    actions: [action],
    summary: summaries[action],
    response: orderCodec,
  } as const;
  return [
    writeRoute(services, {
      ...shared,
      path: '/order/:id',
      changes: ({ id }) => orderTarget({ id }),
      handler: ({ write, id }) => handle(write, { id }),
    }),
    writeRoute(services, {
      ...shared,
      path: '/order',
      query: byNumber,
      changes: ({ query }) => orderTarget(addressOf(query)),
      handler: ({ write, query }) => handle(write, addressOf(query)),
    }),
  ];
}

function canEditRoutes(services: ApiServices): Route[] {
  const ask = (tenant: TenantInfo, address: NumberedAddress) =>
    reading(services, tenant, async (tx) =>
      found('order', await orderEditability(tx, address), address),
    );
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
