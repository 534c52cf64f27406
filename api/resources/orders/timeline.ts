/** The timeline of an order: what happened to it, and what comes next. */
import { orderTimeline } from '../../../operations/orders/timeline.ts';
import type { NumberedAddress } from '../../../operations/context/locks.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import { addressOf, byNumber } from './address.ts';
import { route } from '../../calls/route.ts';
import type { Route } from '../../calls/route.ts';
import { found } from '../../calls/services.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { timelineCodec } from './timeline-schema.ts';

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
