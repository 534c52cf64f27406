/** The taxes of a tenant. */
import { z } from 'zod';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';

const schema = z.strictObject({
  type: kind.choice(['none', 'table']).default('none'),
  validateAddresses: kind.flag().default(false),
  rates: z
    .array(
      z.strictObject({
        country: kind.country(),
        state: kind.text().optional().describe('The whole country by default.'),
        percent: kind.percent(),
        taxCode: kind.text().describe('Charges with this code among their `taxCodes` are taxed.'),
        name: kind.text().describe('Shown on the invoice.'),
      }),
    )
    .default([])
    .describe('At least one for the type `table`.'),
});

export const tax = {
  schema: schema.prefault({}),
  check: (
    { tax: given }: Loose<{ readonly tax: z.output<typeof schema> }>,
    report: Report,
  ): void => {
    if (given?.type === 'table' && given.rates?.length === 0) {
      report(['tax', 'rates'], 'must have at least one rate for the type table');
    }
    const seen = new Set<string>();
    given?.rates?.forEach((rate, index) => {
      if (!rate?.country || !rate.taxCode || !rate.name) return;
      const key = JSON.stringify([rate.country, rate.state, rate.taxCode, rate.name]);
      if (seen.has(key)) report(['tax', 'rates', index], 'repeats another rate');
      seen.add(key);
    });
  },
  notInForce: [
    { key: 'tax.rates', missing: 'invoices are made without these taxes' },
    { key: 'tax.validateAddresses', missing: 'no address is validated' },
  ],
};
