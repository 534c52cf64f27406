/** The time and the target of a tenant's test clock. */
import { z } from 'zod';
import { compile } from '../../xml/codec.ts';
import { date, enumeration, integer, root } from '../../xml/types.ts';

export const testClockCodec = compile(
  root(
    'testClock',
    z.strictObject({
      now: z.string().meta({ format: 'date-time' }),
      target: date().nullable(),
      status: enumeration(['Ready', 'Advancing']),
      held: integer(0).meta({ description: 'Customers held from billing by an error.' }),
      waiting: integer(1).optional().meta({
        description: 'Customers for whose taxes the clock waits; absent if there are none.',
      }),
    }),
  ),
);
