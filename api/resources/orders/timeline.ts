/** The timeline of an order: what happened to it, and what comes next. */
import { orderTimeline } from '../../../operations/orders/timeline.ts';
import type { NumberedAddress } from '../../../operations/context/locks.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import { addressOf, byNumber } from './mapping.ts';
import { route, type Route } from '../../calls/route.ts';
import { found, type RouteDependencies } from '../../calls/services.ts';
import { z } from 'zod';
import { compile } from '../../xml/codec.ts';
import { date, enumeration, listOf, root, text } from '../../xml/types.ts';

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
