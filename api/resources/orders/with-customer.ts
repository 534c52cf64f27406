/** Creates a customer and its first orders in one transaction. */
import { DomainError } from '../../../domain/errors.ts';
import { createCustomer } from '../../../operations/customers/write.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import type { OperationContext } from '../../../operations/context/context.ts';
import { badRequest } from '../../calls/errors.ts';
import { writeRoute, type Route } from '../../calls/route.ts';
import { customerInput, newContacts } from '../customers/mapping.ts';
import { orderInput } from './mapping.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { z } from 'zod';
import { compile } from '../../xml/codec.ts';
import { listOf, reference, repeated, root } from '../../xml/types.ts';
import { customerCreateSchema } from '../customers/schema.ts';
import { orderInputSchema } from './schema.ts';

const ROOT = 'addCustomerAndOrder';
const ORDERS_MAX = 100;
const noInvoice = { generateInvoice: false, forceInvoiceGeneration: false };

export function customerAndOrderRoutes(dependencies: RouteDependencies): Route[] {
  return [
    writeRoute(dependencies, {
      method: 'POST',
      path: '/customers',
      summary: 'Create a customer with its first orders',
      audited: 'customer',
      right: 'write',
      deprecation: {
        of: 'specification',
        since: '2026-11-28',
        instead:
          'create the customer with `POST /customers`, then each order with `POST /orders?extCustomerRef=`, each call with an Idempotency-Key',
      },
      actions: [ROOT],
      status: 201,
      request: customerAndOrderRequest,
      response: customerAndOrderResponse,
      async handler({ tenant, body, write }) {
        refuseOtherCounts(body);
        const contacts = await newContacts(dependencies, tenant, body.customer);
        return write(async (context) => {
          const id = await at(`${ROOT}/`, () =>
            createCustomer(context, customerInput(body.customer), contacts),
          );
          return {
            customer: { id },
            subscriptionOrder: await makeOrders(dependencies, context, id, body),
          };
        });
      },
    }),
  ];
}

function refuseOtherCounts({ subscriptionOrders: { length } }: CustomerAndOrderRequest): void {
  const path = `${ROOT}/subscriptionOrders`;
  if (length === 0) throw badRequest('field.required', 'subscriptionOrder is required', path);
  if (length > ORDERS_MAX) {
    throw badRequest('field.range', `At most ${ORDERS_MAX} orders in one call`, path);
  }
}

async function makeOrders(
  dependencies: RouteDependencies,
  context: OperationContext,
  customerId: number,
  { subscriptionOrders }: CustomerAndOrderRequest,
): Promise<{ readonly id: number }[]> {
  const made: { readonly id: number }[] = [];
  for (const [index, order] of subscriptionOrders.entries()) {
    const path = `${ROOT}/subscriptionOrders/subscriptionOrder[${index + 1}]`;
    if (order.customer) {
      const message = 'The order belongs to the customer of this call and names none';
      throw badRequest('field.invalid', message, `${path}/customer/@id`, String(order.customer.id));
    }
    const input = { ...orderInput(order), customerId };
    const id = await at(path, () => createOrder(dependencies, context, input, noInvoice));
    made.push({ id });
  }
  return made;
}

/** Adds this prefix to the paths of errors, since the part belongs to a larger document. */
async function at<Result>(prefix: string, part: () => Promise<Result>): Promise<Result> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof DomainError) || error.path === null) throw error;
    const { code, message, value, id } = error;
    // An order's own path begins with the name of its element, which the prefix ends with.
    const path = prefix.endsWith('/')
      ? prefix + error.path
      : prefix + error.path.replace(/^subscriptionOrder/, '');
    throw new DomainError(code, message, { path, value, id });
  }
}

/* A customer with its first orders, created in one call. */

const requestSchema = z.strictObject({
  customer: customerCreateSchema,
  subscriptionOrders: listOf('subscriptionOrder', orderInputSchema),
});
type CustomerAndOrderRequest = z.output<typeof requestSchema>;

const customerAndOrderRequest = compile(root('addCustomerAndOrder', requestSchema));

const responseSchema = z.strictObject({
  customer: reference(),
  subscriptionOrder: repeated('subscriptionOrder', reference()),
});

const customerAndOrderResponse = compile(root('addCustomerAndOrderResponse', responseSchema));
