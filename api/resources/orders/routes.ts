/** Subscription orders: create, read, list, change, and the actions on them. */
import { z } from 'zod';
import type { DomainErrorCode } from '../../../domain/errors.ts';
import { endTimes } from '../../../domain/orders/end.ts';
import { orderStatuses } from '../../../domain/standing/status.ts';
import type { NumberedAddress } from '../../../operations/context/locks.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { orderEditability, updateOrder } from '../../../operations/orders/update.ts';
import { fileOfOrders, listOrders, readOrder } from '../../../operations/orders/read.ts';
import { endOrder, keepOrder } from '../../../operations/orders/end.ts';
import { generateForOrder, moveOrder } from '../../../operations/orders/actions.ts';
import type { OperationContext } from '../../../operations/context/context.ts';
import { addressed } from '../../calls/addressed.ts';
import type { Answer } from '../../calls/answer.ts';
import { type Route, writeRoute } from '../../calls/route.ts';
import type { Write } from '../../calls/call.ts';
import {
  type OrderDocument,
  canEditCodec,
  orderCodec,
  orderList,
  orderRequest,
  subscriptionOrderSchema,
} from './schema.ts';
import { boolean, date, enumeration, listOf, root, text } from '../../xml/types.ts';
import { orderDocument, orderInput } from './mapping.ts';
import { listRoute } from '../../calls/lists.ts';
import { extCustomerRef, pauseEndOf, until } from '../../calls/queries.ts';
import { type RouteDependencies, found, reading } from '../../calls/services.ts';
import { orderTimeline } from '../../../operations/orders/timeline.ts';
import { compile } from '../../xml/codec.ts';

export function orderRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...readRoutes(dependencies),
    createRoute(dependencies),
    ...updateRoutes(dependencies),
    ...actions.flatMap((action) => actionRoutes(dependencies, action)),
    ...suspendRoutes(dependencies),
    ...cancelRoutes(dependencies),
    ...canEditRoutes(dependencies),
  ];
}

function readRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...addressed('order', dependencies).reads({
      summary: 'An order with its line items',
      right: 'read',
      summaryByKey: 'An order by its number',
      response: orderCodec,
      find: ({ tenant, address }) =>
        reading(dependencies, tenant, (tx) => readOrder(tx, tenant, address)),
      document: orderDocument,
    }),
    listRoute(dependencies, {
      name: 'orders',
      table: 'orders',
      summary: 'Orders, the newest first',
      query: { status: enumeration(orderStatuses).optional() },
      response: orderList,
      read: (tx, tenant, filter, { status = null }) =>
        listOrders(tx, tenant, { ...filter, status }),
      document: orderDocument,
      schema: subscriptionOrderSchema,
      file: (tenant, filter, { status = null }) => fileOfOrders(tenant, { ...filter, status }),
    }),
  ];
}

function createRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'POST',
    path: '/orders',
    summary: 'Create an order, and on request its first invoice',
    audited: 'subscriptionOrder',
    right: 'write',
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
  return addressed('order', dependencies).writes({
    method: 'PUT',
    summary: 'Change an order, or only its status',
    right: 'write',
    request: orderRequest,
    response: orderCodec,
    handler: ({ write, address, body }) =>
      changing(write, async (context) => ({
        id: await updateOrder(dependencies, context, address, orderInput(body)),
      })),
  });
}

interface Action {
  readonly name: string;
  readonly summary: string;
  readonly parameterErrors?: readonly DomainErrorCode[];
  readonly act: (
    dependencies: RouteDependencies,
    context: OperationContext,
    address: NumberedAddress,
  ) => Promise<unknown>;
}

const actions: readonly Action[] = [
  {
    name: 'activate',
    summary: 'Activate a suspended order again',
    act: (_, context, address) => moveOrder(context, address, 'Active'),
  },
  {
    name: 'keep',
    summary: 'Take back the end of an order that was requested',
    parameterErrors: ['order.notEnding'],
    act: (_, context, address) => keepOrder(context, address),
  },
  {
    name: 'generateInvoice',
    summary: "Bill everything due of the order's customer now",
    act: generateForOrder,
  },
];

function actionRoutes(dependencies: RouteDependencies, { name, act, ...spec }: Action): Route[] {
  return addressed('order', dependencies).writes({
    ...spec,
    method: 'POST',
    actions: [name],
    right: 'write',
    response: orderCodec,
    handler: ({ write, address }) =>
      changing(write, async (context) => {
        await act(dependencies, context, address);
        return address;
      }),
  });
}

function suspendRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('order', dependencies).writes({
    method: 'POST',
    actions: ['suspend'],
    summary: 'Suspend an order: it bills nothing until a day, or until it is activated',
    right: 'write',
    query: { until: until() },
    response: orderCodec,
    handler: ({ write, address, query }) =>
      changing(write, async (context) => {
        const end = pauseEndOf(query.until, context.time.today);
        return { id: await moveOrder(context, address, 'Suspended', end) };
      }),
  });
}

function cancelRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('order', dependencies).writes({
    method: 'POST',
    actions: ['cancel'],
    summary: 'End an order today, or when its period or its term is over',
    right: 'write',
    parameterErrors: ['order.changePending', 'order.transition'],
    query: { when: enumeration(endTimes).default('now'), reason: text().optional() },
    response: orderCodec,
    handler: ({ write, address, query: { when, reason = '' } }) =>
      changing(write, async (context) => {
        const request = { when, reason: reason === '' ? null : reason };
        return { id: await endOrder(dependencies, context, address, request) };
      }),
  });
}

function canEditRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('order', dependencies).reads({
    below: '/canEdit',
    summary: 'Whether an order may be changed, and why not',
    right: 'read',
    response: canEditCodec,
    find: ({ tenant, address }) =>
      reading(dependencies, tenant, (tx) => orderEditability(tx, address)),
    document: (editability) => editability,
  });
}

/* The timeline of an order: what happened to it, and what comes next. */

export function timelineRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('order', dependencies).reads({
    below: '/timeline',
    summary: 'The past and the next events of an order',
    right: 'read',
    response: timelineCodec,
    find: ({ tenant, address }) => orderTimeline(dependencies, tenant, address),
    document: (timeline) => timeline,
  });
}

/* The document of an order's timeline. */

const entry = z.strictObject({
  date: date(),
  state: enumeration(['happened', 'next']),
  text: text(),
});

const timelineCodec = compile(root('list', listOf('entry', entry)));
