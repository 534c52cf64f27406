/** Payments, credits and refunds: read, list, cancel. */
import { paymentStatuses, type PaymentType } from '../../../domain/payments/allocation.ts';
import { makeActionLink } from '../../../operations/action-links/links.ts';
import {
  cancelEnded,
  endWaitingPayment,
} from '../../../operations/gateway-calls/cancel-waiting.ts';
import { cancelPayment } from '../../../operations/payments/cancel.ts';
import { fileOfPayments, listPayments, readPayment } from '../../../operations/payments/read.ts';
import { givesLink } from '../../calls/link.ts';
import { route, writeRoute, type Route } from '../../calls/route.ts';
import { paymentCodec, paymentList, paymentSchema } from './schema.ts';
import { decimal, enumeration } from '../../xml/types.ts';
import { paymentDocument } from './mapping.ts';
import { listRoute } from '../../calls/lists.ts';
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
      right: 'read',
      response: paymentCodec,
      handler: ({ tenant, id }) =>
        reading(dependencies, tenant, async (tx) =>
          paymentDocument(found('payment', await readPayment(tx, tenant, { id, type }), { id })),
        ),
    }),
    listRoute(dependencies, {
      name: many,
      table: 'payments',
      summary: `${type}s, the latest effectiveDate first`,
      query: { status: enumeration(paymentStatuses).optional(), amount: decimal().optional() },
      response: paymentList,
      isOneStatement: true,
      read: (tx, tenant, filter, { status = null, amount = null }) =>
        listPayments(tx, tenant, { ...filter, type, status, amount }),
      document: paymentDocument,
      schema: paymentSchema,
      file: (tenant, filter, { status = null, amount = null }) =>
        fileOfPayments(tenant, { ...filter, type, status, amount }),
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
    audited: 'payment',
    right: 'write',
    handler: (call) => handler({ ...call, address: { id: call.id } }),
  });
}

function cancelRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'DELETE',
    path: '/payment/:id',
    summary: 'Cancel a payment that failed after the fact, without moving money',
    audited: 'payment',
    right: 'finance',
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
