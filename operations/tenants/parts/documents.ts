/** What documents a tenant gives out beside its invoices and credit notes. */
import { z } from 'zod';
import * as kind from '../file/scalars.ts';

const schema = z.strictObject({
  cancellation: kind
    .choice(['stamp', 'document'])
    .default('stamp')
    .describe(
      'Whether a cancelled invoice is only stamped, or gets a document with a number of the series of ' +
        'credit notes, which reverses it. It holds for the cancellations that follow.',
    ),
});

export const documents = {
  schema: schema.prefault({}).describe('What documents are given out.'),
};
