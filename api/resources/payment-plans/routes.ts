/** The payment plan of a customer: make, read, change, disable. */
import { z } from 'zod';
import {
  changePaymentPlan,
  createPaymentPlan,
  disablePaymentPlan,
} from '../../../operations/payment-plans/change.ts';
import { type PaymentPlanView, readPaymentPlan } from '../../../operations/payment-plans/read.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import type { Reader } from '../../../operations/context/listing.ts';
import type { OperationContext } from '../../../operations/context/context.ts';
import type { Versioned } from '../../../operations/context/versions.ts';
import type { Answer } from '../../calls/answer.ts';
import type { Write } from '../../calls/call.ts';
import { badRequest } from '../../calls/errors.ts';
import { extCustomerRef, objectId } from '../../calls/queries.ts';
import { type Route, route, writeRoute } from '../../calls/route.ts';
import { type RouteDependencies, found, reading } from '../../calls/services.ts';
import { type PaymentPlanRequest, paymentPlanCodec, paymentPlanRequest } from './schema.ts';

const paths = { inPath: '/customers/:id/paymentPlan', inQuery: '/customers/paymentPlan' };
const byCustomer = z.object({
  id: objectId().optional(),
  extCustomerRef: extCustomerRef().optional(),
});

interface CustomerQuery {
  readonly id?: number | undefined;
  readonly extCustomerRef?: string | undefined;
}

function addressOf({ id, extCustomerRef: reference }: CustomerQuery): CustomerAddress {
  if (id !== undefined && reference !== undefined) {
    throw badRequest('query.invalid', 'id and extCustomerRef exclude each other', 'id');
  }
  if (id !== undefined) return { id };
  if (reference !== undefined) return { extCustomerRef: reference };
  throw badRequest('query.required', 'id or extCustomerRef is required', 'id');
}

export function paymentPlanRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...readRoutes(dependencies),
    ...bodyRoutes(dependencies, 'POST'),
    ...bodyRoutes(dependencies, 'PUT'),
    ...removeRoutes(dependencies),
  ];
}

async function planOf(tx: Reader, address: CustomerAddress): Promise<PaymentPlanView> {
  return found('customer', await readPaymentPlan(tx, address), address);
}

function readRoutes(dependencies: RouteDependencies): Route[] {
  const shared = {
    method: 'GET',
    summary: 'The payment plan of a customer: the enabled one, or the last one',
    response: paymentPlanCodec,
  } as const;
  return [
    route({
      ...shared,
      path: paths.inPath,
      handler: ({ tenant, id }) => reading(dependencies, tenant, (tx) => planOf(tx, { id })),
    }),
    route({
      ...shared,
      path: paths.inQuery,
      query: byCustomer,
      handler: ({ tenant, query }) =>
        reading(dependencies, tenant, (tx) => planOf(tx, addressOf(query))),
    }),
  ];
}

interface PlanCall {
  readonly write: Write<PaymentPlanView>;
  readonly body: PaymentPlanRequest;
}

const target = (address: CustomerAddress): Versioned => ({ kind: 'paymentPlan', address });

function writing(
  write: Write<PaymentPlanView>,
  address: CustomerAddress,
  operation: (context: OperationContext) => Promise<void>,
): Promise<Answer> {
  return write(async (context) => {
    await operation(context);
    return planOf(context.finalQuery, address);
  });
}

const calls = {
  POST: {
    summary: 'Make the payment plan of a customer; an installment of today is charged at once',
    status: 201,
    operation: createPaymentPlan,
  },
  PUT: {
    summary: 'Change what is still to come of the payment plan of a customer',
    status: 200,
    operation: changePaymentPlan,
  },
} as const;

function bodyRoutes(dependencies: RouteDependencies, method: 'POST' | 'PUT'): Route[] {
  const { summary, status, operation } = calls[method];
  const handle = (address: CustomerAddress, { write, body }: PlanCall): Promise<Answer> =>
    writing(write, address, (context) => operation(context, address, body));
  const shared = {
    method,
    summary,
    status,
    request: paymentPlanRequest,
    response: paymentPlanCodec,
  } as const;
  const changes = method === 'PUT';
  return [
    writeRoute(dependencies, {
      ...shared,
      path: paths.inQuery,
      query: byCustomer,
      ...(changes && {
        changes: ({ query }: { readonly query: CustomerQuery }) => target(addressOf(query)),
      }),
      handler: (call) => handle(addressOf(call.query), call),
    }),
    writeRoute(dependencies, {
      ...shared,
      path: paths.inPath,
      ...(changes && { changes: ({ id }: { readonly id: number }) => target({ id }) }),
      handler: (call) => handle({ id: call.id }, call),
    }),
  ];
}

function removeRoutes(dependencies: RouteDependencies): Route[] {
  const remove = (write: Write<PaymentPlanView>, address: CustomerAddress): Promise<Answer> =>
    writing(write, address, (context) => disablePaymentPlan(context, address));
  const shared = {
    method: 'DELETE',
    summary: 'Disable the payment plan of a customer: what is still to come is not charged',
    response: paymentPlanCodec,
  } as const;
  return [
    writeRoute(dependencies, {
      ...shared,
      path: paths.inQuery,
      query: byCustomer,
      changes: ({ query }) => target(addressOf(query)),
      handler: ({ write, query }) => remove(write, addressOf(query)),
    }),
    writeRoute(dependencies, {
      ...shared,
      path: paths.inPath,
      changes: ({ id }) => target({ id }),
      handler: ({ write, id }) => remove(write, { id }),
    }),
  ];
}
