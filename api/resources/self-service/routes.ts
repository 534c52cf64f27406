/** Hosted self-service: the link to the pages of a customer. */
import { checkStart } from '../../../operations/self-service/start-faults.ts';
import type { SessionQuery } from '../../../operations/self-service/start-faults.ts';
import { startSession } from '../../../operations/self-service/start.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import { RequestError } from '../../calls/errors.ts';
import { writeRoute } from '../../calls/route.ts';
import type { Route } from '../../calls/route.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { tenantOrigin } from '../../calls/tenant-address.ts';
import { widgetLinkCodec } from './schema.ts';
import type { WidgetLinkDocument } from './schema.ts';
import { sessionQuery, startQuery } from './start-query.ts';

export function selfServiceRoutes(dependencies: RouteDependencies): Route[] {
  return [
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

/** Exactly one of the two is given. */
function customerOf({ customerId, extCustomerRef }: SessionQuery): CustomerAddress {
  return customerId === null ? { extCustomerRef: extCustomerRef ?? '' } : { id: customerId };
}
