/** Hosted self-service: the link to the pages of a customer, and the end of its sessions. */
import { z } from 'zod';
import {
  DEFAULT_PROFILE,
  NO_OPTIONS,
  editOrderOptions,
  editOrderOptionsOf,
} from '../../../domain/self-service/switches.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import {
  type SessionQuery,
  checkStart,
  endSessionsOf,
  startSession,
} from '../../../operations/self-service/start.ts';
import { addressed } from '../../calls/addressed.ts';
import { RequestError } from '../../calls/errors.ts';
import { byCustomer } from '../../calls/queries.ts';
import { type Route, writeRoute } from '../../calls/route.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { statusCodec } from '../../calls/status-schema.ts';
import { tenantOrigin } from '../../calls/tenant-address.ts';
import { boolean, root, text } from '../../xml/types.ts';
import { pageAddress, stylesheet } from '../page-writes.ts';
import { ADDRESS_LENGTH_MAX } from '../../../domain/hosted-pages/address.ts';
import { compile } from '../../xml/codec.ts';

export function selfServiceRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...sessionRoutes(dependencies),
    writeRoute<WidgetLinkDocument, typeof startQuery>(dependencies, {
      method: 'GET',
      path: '/widget/start',
      summary: "Start a session of hosted self-service, and get the address of the customer's page",
      audited: 'customer',
      right: 'write',
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
  return addressed('customer', dependencies).writes({
    method: 'DELETE',
    below: '/sessions',
    summary: 'End all sessions of a customer in hosted self-service',
    right: 'write',
    response: statusCodec,
    isUnversioned: true,
    handler: ({ write, address }) =>
      write(async (context) => {
        const count = await endSessionsOf(context, address);
        const message = count === 1 ? '1 session has ended' : `${count} sessions have ended`;
        return { success: true, message };
      }),
  });
}

/** Exactly one of the two is given. */
function customerOf({ customerId, extCustomerRef }: SessionQuery): CustomerAddress {
  return customerId === null ? { extCustomerRef: extCustomerRef ?? '' } : { id: customerId };
}

/* The parameters of `widget/start`, as far as they can be judged without a tenant. */

const OPTIONS = `${NO_OPTIONS}, or some of ${editOrderOptions.join(', ')}, separated by commas`;

const orderOptions = () =>
  text()
    .refine((value) => editOrderOptionsOf(value) !== undefined, { params: { expected: OPTIONS } })
    .meta({ 'x-expected': OPTIONS });

const startQuery = z.object({
  cssURL: stylesheet(),
  ...byCustomer(),
  loginUrl: pageAddress(),
  showNavigationBar: boolean().optional(),
  showStatements: boolean().optional(),
  showPayments: boolean().optional(),
  allowPayments: boolean().optional(),
  allowProfileEdit: boolean().optional(),
  editOrderOptions: orderOptions().optional(),
  pdfMode: boolean().optional(),
  profile: text().default(DEFAULT_PROFILE),
});

function sessionQuery(query: z.output<typeof startQuery>): SessionQuery {
  const { cssURL, loginUrl, customerId, extCustomerRef, profile, ...given } = query;
  const { editOrderOptions: options, ...flags } = given;
  const chosen = options === undefined ? undefined : editOrderOptionsOf(options);
  return {
    cssUrl: cssURL,
    loginUrl,
    customerId: customerId ?? null,
    extCustomerRef: extCustomerRef ?? null,
    profile,
    switches: { ...flags, editOrderOptions: chosen },
  };
}

/* The document of hosted self-service: the link to a customer's page. */

const linkSchema = z.strictObject({ url: text(ADDRESS_LENGTH_MAX) });
type WidgetLinkDocument = z.output<typeof linkSchema>;

const widgetLinkCodec = compile(root('widgetLink', linkSchema));
