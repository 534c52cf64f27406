/** Hosted self-service: the link to the pages of a customer, and the end of its sessions. */
import { z } from 'zod';
import { endSessionsOf } from '../../../operations/self-service/end-sessions.ts';
import { checkStart, type SessionQuery } from '../../../operations/self-service/start-faults.ts';
import { startSession } from '../../../operations/self-service/start.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import type { Write } from '../../calls/call.ts';
import { RequestError } from '../../calls/errors.ts';
import { extCustomerRef } from '../../calls/queries.ts';
import { statusCodec, type StatusDocument } from '../../calls/status-schema.ts';
import { writeRoute, type Route } from '../../calls/route.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { tenantOrigin } from '../../calls/tenant-address.ts';
import { widgetLinkCodec, type WidgetLinkDocument } from './schema.ts';
import { sessionQuery, startQuery } from './start-query.ts';

const byReference = z.object({ extCustomerRef: extCustomerRef() });

export function selfServiceRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...sessionRoutes(dependencies),
    writeRoute<WidgetLinkDocument, typeof startQuery>(dependencies, {
      method: 'GET',
      path: '/widget/start',
      summary: "Start a session of hosted self-service, and get the address of the customer's page",
      query: startQuery,
      response: widgetLinkCodec,
      textOf: ({ url }) => url,
      keepsSealed: true,
      async handler({ tenant, query, write }) {
        const asked = sessionQuery(query);
        const origin = tenantOrigin(dependencies, tenant.label);
        const { faults, switches } = await checkStart(dependencies, tenant, asked, origin);
        if (faults.length > 0) throw new RequestError(400, faults);
        const { cssUrl, loginUrl } = asked;
        return write(async (context) => {
          const input = { customer: customerOf(asked), cssUrl, loginUrl, switches };
          const token = await startSession(context, input);
          return { url: `${origin}/widget/customerHome/${token}` };
        });
      },
    }),
  ];
}

function sessionRoutes(dependencies: RouteDependencies): Route[] {
  const end = (write: Write<StatusDocument>, address: CustomerAddress) =>
    write(async (context) => {
      const count = await endSessionsOf(context, address);
      const message = count === 1 ? '1 session has ended' : `${count} sessions have ended`;
      return { success: true, message };
    });
  const shared = {
    method: 'DELETE',
    summary: 'End all sessions of a customer in hosted self-service',
    response: statusCodec,
  } as const;
  return [
    writeRoute(dependencies, {
      ...shared,
      path: '/customer/:id/sessions',
      handler: ({ write, id }) => end(write, { id }),
    }),
    writeRoute(dependencies, {
      ...shared,
      path: '/customer/sessions',
      query: byReference,
      handler: ({ write, query }) => end(write, query),
    }),
  ];
}

/** Exactly one of the two is given. */
function customerOf({ customerId, extCustomerRef }: SessionQuery): CustomerAddress {
  return customerId === null ? { extCustomerRef: extCustomerRef ?? '' } : { id: customerId };
}
