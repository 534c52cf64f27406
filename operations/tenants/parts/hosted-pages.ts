/** The sites that the hosted pages of a tenant work with. */
import { z } from 'zod';
import { checkRepeats } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';

const schema = z.strictObject({
  allowedOrigins: z
    .array(kind.origin())
    .default([])
    .describe('The sites that may frame the hosted pages, and that these may redirect to.'),
});

export const hostedPages = {
  schema: schema.prefault({}),
  check: (file: Loose<{ readonly hostedPages: z.output<typeof schema> }>, report: Report) => {
    checkRepeats(file.hostedPages?.allowedOrigins, ['hostedPages', 'allowedOrigins'], report);
  },
  notInForce: [{ key: 'hostedPages', missing: 'there are no hosted pages' }],
};
