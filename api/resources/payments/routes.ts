/** Payments, credits and refunds: read, list, cancel. */
import { z } from 'zod';
import { paymentStatuses, type PaymentType } from '../../../domain/payments/allocation.ts';
import { makeActionLink } from '../../../operations/action-links/links.ts';
import {
  cancelEnded,
  endWaitingPayment,
} from '../../../operations/gateway-calls/cancel-waiting.ts';
import { cancelPayment } from '../../../operations/payments/cancel.ts';
import { listPayments, readPayment } from '../../../operations/payments/read.ts';
import { givesLink } from '../../calls/link.ts';
import { route, writeRoute, type Route } from '../../calls/route.ts';
import { paymentCodec, paymentList } from './schema.ts';
import { decimal, enumeration } from '../../xml/types.ts';
import { paymentDocument } from './mapping.ts';
import { byCustomer, customerFilterOf, page, windows, windowsOf } from '../../calls/queries.ts';
import { askingGateway } from '../payment-methods/methods.ts';
import { found, paymentTarget, reading, type RouteDependencies } from '../../calls/services.ts';

/** One entity with three names. */
const kinds = [
  { type: 'Payment', one: 'payment', many: 'payments' },
  { type: 'Credit', one: 'credit', many: 'credits' },
  { type: 'Refund', one: 'refund', many: 'refunds' },
] as const satisfies readonly { readonly type: PaymentType; one: string; many: string }[];

export function paymentRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...kinds.flatMap((kind) => readRoutes(dependencies, kind)),
    cancelRoute(dependencies),
    actionLinkRoute(dependencies),
  ];
}

function readRoutes(
  dependencies: RouteDependencies,
  { type, one, many }: (typeof kinds)[number],
): Route[] {
  return [
    route({
      method: 'GET',
      path: `/${one}/:id`,
      summary: `A ${one} with the gateway's answer and its applications`,
      response: paymentCodec,
      handler: ({ tenant, id }) =>
        reading(dependencies, tenant, async (tx) =>
          paymentDocument(found('payment', await readPayment(tx, tenant, { id, type }), { id })),
        ),
    }),
    route({
      method: 'GET',
      path: `/${many}`,
      summary: `${type}s, the latest effectiveDate first`,
      query: z.object({
        ...page,
        ...windows,
        status: enumeration(paymentStatuses).optional(),
        amount: decimal().optional(),
        ...byCustomer(),
      }),
      response: paymentList,
      async handler({ tenant, query, noteMiss }) {
        const { offset, max, status = null, amount = null } = query;
        const customer = customerFilterOf(query);
        const filter = {
          type,
          offset,
          max,
          status,
          amount,
          ...customer,
          ...windowsOf(query, tenant),
        };
        const list = await reading(dependencies, tenant, (tx) => listPayments(tx, tenant, filter));
        if (list.length === 0 && customer.customerId !== null) {
          noteMiss('customer', customer.customerId);
        }
        return list.map(paymentDocument);
      },
    }),
  ];
}

function actionLinkRoute(dependencies: RouteDependencies): Route {
  const { handler, ...link } = givesLink<{ readonly id: number }>(dependencies, {
    name: 'actionLink',
    make: (context, { id }) => makeActionLink(context, id),
  });
  return writeRoute(dependencies, {
    ...link,
    path: '/payment/:id/actionLink',
    summary: 'A new link to the page on which the payer confirms a payment that waits for him',
    handler: (call) => handler({ ...call, address: { id: call.id } }),
  });
}

function cancelRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'DELETE',
    path: '/payment/:id',
    summary: 'Cancel a payment that failed after the fact, without moving money',
    response: paymentCodec,
    changes: ({ id }) => paymentTarget(id),
    asksElsewhere: true,
    async handler({ tenant, id, write }) {
      const ended = await askingGateway(() =>
        endWaitingPayment(dependencies, dependencies.gateways, tenant.id, id),
      );
      return write(async (work) => {
        if (ended === undefined) await cancelPayment(work, id);
        else await cancelEnded(work, ended);
        const view = await readPayment(work.finalQuery, tenant, { id, type: 'Payment' });
        return paymentDocument(found('payment', view, { id }));
      });
    },
  });
}
