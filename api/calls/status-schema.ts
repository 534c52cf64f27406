/** The document for the success or the errors of a call. */
import { z } from 'zod';
import { compile } from '../xml/codec.ts';
import { attribute, boolean, id, listOf, root, text } from '../xml/types.ts';

const error = z.strictObject({
  code: attribute(z.string()).meta({
    xml: { attribute: true },
    description: 'Stable; the catalogue of codes explains each.',
  }),
  path: attribute(z.string())
    .meta({ xml: { attribute: true }, description: 'The element or parameter at fault.' })
    .optional(),
  value: attribute(z.string())
    .meta({
      xml: { attribute: true },
      description: 'The value at fault, cut short; never a secret.',
    })
    .optional(),
  text: z.string().meta({ xml: { nodeType: 'text' } }),
});

/** The customer that is saved with an address that is invalid, or not validated. */
const savedCustomer = z.strictObject({ id: id(), extCustomerRef: text().nullable() });

export const statusSchema = root(
  'status',
  z.strictObject({
    success: boolean(),
    message: text().optional(),
    errors: listOf('error', error).optional(),
    customer: savedCustomer.optional(),
  }),
);

export type StatusDocument = z.output<typeof statusSchema>;

export const statusCodec = compile(statusSchema);
