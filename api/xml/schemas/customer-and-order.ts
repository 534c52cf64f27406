/** A customer with its first orders, made in one call. */
import { z } from 'zod';
import { compile } from '../codec.ts';
import { listOf, reference, repeated, root } from '../types.ts';
import { customerCreateSchema } from './customer.ts';
import { orderInputSchema } from './order.ts';

const requestSchema = z.strictObject({
  customer: customerCreateSchema,
  subscriptionOrders: listOf('subscriptionOrder', orderInputSchema),
});
export type CustomerAndOrderRequest = z.output<typeof requestSchema>;

export const customerAndOrderRequest = compile(root('addCustomerAndOrder', requestSchema));

const responseSchema = z.strictObject({
  customer: reference(),
  subscriptionOrder: repeated('subscriptionOrder', reference()),
});
export type CustomerAndOrderDocument = z.output<typeof responseSchema>;

export const customerAndOrderResponse = compile(
  root('addCustomerAndOrderResponse', responseSchema),
);
