/** How a call names an order by its number. */
import { z } from 'zod';
import type { NumberedAddress } from '../../../operations/context/locks.ts';
import { orderNumberOf } from '../../calls/queries.ts';
import { text } from '../../xml/types.ts';

export const byNumber = z.object({ orderNumber: text() });

export function addressOf({ orderNumber }: z.output<typeof byNumber>): NumberedAddress {
  return { number: orderNumberOf(orderNumber) };
}
