/** A customer with its first orders, created in one call. */
import { z } from 'zod';
import { compile } from '../../xml/codec.ts';
import { listOf, reference, repeated, root } from '../../xml/types.ts';
import { customerCreateSchema } from '../customers/schema.ts';
import { orderInputSchema } from './schema.ts';

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
