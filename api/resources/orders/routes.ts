/** Subscription orders: create, read, list, change, and the actions on them. */
import { z } from 'zod';
import { orderStatuses } from '../../../domain/standing/status.ts';
import type { NumberedAddress } from '../../../operations/context/locks.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { orderEditability, updateOrder } from '../../../operations/orders/update.ts';
import { listOrders, readOrder } from '../../../operations/orders/read.ts';
import { generateForOrder, moveOrder } from '../../../operations/orders/actions.ts';
import type { OperationContext, TenantInfo } from '../../../operations/context/context.ts';
import type { Answer } from '../../calls/answer.ts';
import { type Route, route, writeRoute } from '../../calls/route.ts';
import type { Write } from '../../calls/call.ts';
import { mapInSlices } from '../../xml/slices.ts';
import {
  type OrderDocument,
  type OrderRequest,
  canEditCodec,
  orderCodec,
  orderList,
  orderRequest,
} from './schema.ts';
import { boolean, date, enumeration, listOf, root, text } from '../../xml/types.ts';
import { addressOf, byNumber, orderDocument, orderInput } from './mapping.ts';
import {
  byCustomer,
  customerFilterOf,
  extCustomerRef,
  page,
  windows,
  windowsOf,
} from '../../calls/queries.ts';
import {
  type RouteDependencies,
  found,
  orderTarget,
  reading,
  readingMore,
} from '../../calls/services.ts';
import { orderTimeline } from '../../../operations/orders/timeline.ts';
import { compile } from '../../xml/codec.ts';

export function orderRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...readRoutes(dependencies),
    createRoute(dependencies),
    ...updateRoutes(dependencies),
    ...actionRoutes(dependencies, 'suspend'),
    ...actionRoutes(dependencies, 'activate'),
    ...actionRoutes(dependencies, 'generateInvoice'),
    ...canEditRoutes(dependencies),
  ];
}

function readRoutes(dependencies: RouteDependencies): Route[] {
  const read = (tenant: TenantInfo, address: NumberedAddress) =>
    reading(dependencies, tenant, async (tx) =>
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
        ...byCustomer(),
      }),
      response: orderList,
      async handler({ tenant, query, noteMiss }) {
        const { offset, max, status = null } = query;
        const customer = customerFilterOf(query);
        const filter = { offset, max, status, ...customer, ...windowsOf(query, tenant) };
        const { rows, view } = await readingMore(dependencies, tenant, (tx) =>
          listOrders(tx, tenant, filter),
        );
        if (rows.length === 0 && customer.customerId !== null) {
          noteMiss('customer', customer.customerId);
        }
        return mapInSlices(rows, (row) => orderDocument(view(row)));
      },
    }),
  ];
}

function createRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'POST',
    path: '/orders',
    summary: 'Create an order, and on request its first invoice',
    status: 201,
    query: z.object({
      extCustomerRef: extCustomerRef().optional(),
      generateInvoice: boolean().default(false),
      forceInvoiceGeneration: boolean().default(false),
    }),
    request: orderRequest,
    response: orderCodec,
    handler: ({ query, body, write }) =>
      changing(write, async (context) => ({
        id: await createOrder(dependencies, context, orderInput(body), query),
      })),
  });
}

/** Runs the operation, and answers with the order whose id it returns. */
function changing(
  write: Write<OrderDocument>,
  change: (context: OperationContext) => Promise<NumberedAddress>,
): Promise<Answer> {
  return write(async (context) => {
    const address = await change(context);
    return orderDocument(
      found('order', await readOrder(context.finalQuery, context.tenant, address), address),
    );
  });
}

function updateRoutes(dependencies: RouteDependencies): Route[] {
  const update = (write: Write<OrderDocument>, address: NumberedAddress, body: OrderRequest) =>
    changing(write, async (context) => ({
      id: await updateOrder(dependencies, context, address, orderInput(body)),
    }));
  const shared = {
    method: 'PUT',
    summary: 'Change an order, or only its status',
    request: orderRequest,
    response: orderCodec,
  } as const;
  return [
    writeRoute(dependencies, {
      ...shared,
      path: '/order/:id',
      changes: ({ id }) => orderTarget({ id }),
      handler: ({ write, id, body }) => update(write, { id }, body),
    }),
    writeRoute(dependencies, {
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
  suspend: 'Suspend an order: it bills nothing until it is activated',
  activate: 'Activate a suspended order again',
  generateInvoice: "Bill everything due of the order's customer now",
};

async function act(
  dependencies: RouteDependencies,
  context: OperationContext,
  action: Action,
  address: NumberedAddress,
): Promise<NumberedAddress> {
  if (action === 'generateInvoice') await generateForOrder(dependencies, context, address);
  else await moveOrder(context, address, action === 'suspend' ? 'Suspended' : 'Active');
  return address;
}

function actionRoutes(dependencies: RouteDependencies, action: Action): Route[] {
  const handle = (write: Write<OrderDocument>, address: NumberedAddress) =>
    changing(write, (context) => act(dependencies, context, action, address));
  const shared = {
    method: 'POST',
    actions: [action],
    summary: summaries[action],
    response: orderCodec,
  } as const;
  return [
    writeRoute(dependencies, {
      ...shared,
      path: '/order/:id',
      changes: ({ id }) => orderTarget({ id }),
      handler: ({ write, id }) => handle(write, { id }),
    }),
    writeRoute(dependencies, {
      ...shared,
      path: '/order',
      query: byNumber,
      changes: ({ query }) => orderTarget(addressOf(query)),
      handler: ({ write, query }) => handle(write, addressOf(query)),
    }),
  ];
}

function canEditRoutes(dependencies: RouteDependencies): Route[] {
  const ask = (tenant: TenantInfo, address: NumberedAddress) =>
    reading(dependencies, tenant, async (tx) =>
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

/* The timeline of an order: what happened to it, and what comes next. */

export function timelineRoutes(dependencies: RouteDependencies): Route[] {
  const read = async (tenant: TenantInfo, address: NumberedAddress) =>
    found('order', await orderTimeline(dependencies, tenant, address), address);
  const shared = {
    method: 'GET',
    summary: 'What happened to an order, and what comes next',
    response: timelineCodec,
  } as const;
  return [
    route({
      ...shared,
      path: '/order/:id/timeline',
      handler: ({ tenant, id }) => read(tenant, { id }),
    }),
    route({
      ...shared,
      path: '/order/timeline',
      query: byNumber,
      handler: ({ tenant, query }) => read(tenant, addressOf(query)),
    }),
  ];
}

/* The document of an order's timeline. */

const entry = z.strictObject({
  date: date(),
  state: enumeration(['happened', 'next']),
  text: text(),
});

const timelineCodec = compile(root('list', listOf('entry', entry)));
