/** Payments, credits and refunds: read, list, cancel. */
import { paymentStatuses, type PaymentType } from '../../../domain/payments/allocation.ts';
import { cancelPayment } from '../../../operations/payments/cancel.ts';
import { fileOfPayments, listPayments, readPayment } from '../../../operations/payments/read.ts';
import { route, writeRoute, type Route } from '../../calls/route.ts';
import { paymentCodec, paymentList, paymentSchema } from './schema.ts';
import { decimal, enumeration } from '../../xml/types.ts';
import { paymentDocument } from './mapping.ts';
import { listRoute } from '../../calls/lists.ts';
import { found, paymentTarget, reading, type RouteDependencies } from '../../calls/services.ts';

/** One entity with three names. */
const kinds = [
  { type: 'Payment', one: 'payment', many: 'payments' },
  { type: 'Credit', one: 'credit', many: 'credits' },
  { type: 'Refund', one: 'refund', many: 'refunds' },
] as const satisfies readonly { readonly type: PaymentType; one: string; many: string }[];

export function paymentRoutes(dependencies: RouteDependencies): Route[] {
  return [...kinds.flatMap((kind) => readRoutes(dependencies, kind)), cancelRoute(dependencies)];
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

function cancelRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'DELETE',
    path: '/payment/:id',
    summary: 'Cancel a payment that failed after the fact, without moving money',
    response: paymentCodec,
    changes: ({ id }) => paymentTarget(id),
    handler: ({ tenant, id, write }) =>
      write(async (work) => {
        await cancelPayment(work, id);
        const view = await readPayment(work.finalQuery, tenant, { id, type: 'Payment' });
        return paymentDocument(found('payment', view, { id }));
      }),
  });
}
