/** The settings of a tenant. */
import { z } from 'zod';
import * as kind from '../file/scalars.ts';

/** Longer than this and one day's wake-ups would run into the next day's. */
const BILLING_WINDOW_SECONDS_MAX = 12 * 3_600;

const schema = z.strictObject({
  creditUnusedOnCancel: kind
    .flag()
    .default(false)
    .describe(
      'Whether cancelling an order credits what its `isProrated` charges billed for the days from ' +
        'tomorrow. Change orders credit unused days whatever it says.',
    ),
  crossTenantAttempts: z
    .strictObject({
      max: kind.whole(1, 1_000).default(10),
      withinMinutes: kind.whole(1, 1_440).default(60),
    })
    .prefault({})
    .describe("How many calls for other tenants' ids, in how many minutes, suspend a user."),
  autopayOn: kind
    .choice(['invoiceDate', 'dueDate'])
    .default('invoiceDate')
    .describe('The day on which an invoice is charged to the stored payment method.'),
  billingWindow: kind
    .duration(BILLING_WINDOW_SECONDS_MAX)
    .default('0s')
    .describe('The time over which the wakes of order workflows after a billing run are spread.'),
  usageGraceDays: kind
    .whole(0, 31)
    .default(0)
    .describe(
      'Usage is billed this many days after the end of a period, so that late records count.',
    ),
});

type Settings = z.output<typeof schema>;

export const settings = {
  schema: schema.prefault({}),
  store: (value: Settings): Settings & { readonly billingWindowSeconds: number } => ({
    ...value,
    billingWindowSeconds: kind.durationSeconds(value.billingWindow),
  }),
};
