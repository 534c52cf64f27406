/** The list of changes of customers' statuses. */
import { z } from 'zod';
import { customerStatuses } from '../../../domain/customers/status.ts';
import { compile } from '../../xml/codec.ts';
import { date, enumeration, id, listOf, root, text } from '../../xml/types.ts';

export const customerTransitionSchema = z.strictObject({
  id: id(),
  dateTransitioned: date(),
  previousStatus: enumeration(customerStatuses),
  newStatus: enumeration(customerStatuses),
  customer: z.strictObject({
    id: id(),
    name: text(),
    status: enumeration(customerStatuses),
    extCustomerRef: text().nullable(),
  }),
});

export const transitionList = compile(
  root('list', listOf('customerTransition', customerTransitionSchema)),
);
