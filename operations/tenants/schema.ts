/** The whole format of a tenant file; its descriptions are the documentation of the format. */
import { z } from 'zod';
import { customerStatuses, termUnits } from '../../domain/model.ts';
import { callback, notifications, retention } from './schema-events.ts';
import { commissionPlan, coupon, plan } from './schema-plans.ts';
import * as kind from './scalars.ts';

const DAYS_MAX = 3_650;
const NUMBER_MAX = 999_999_999_999;
/** Each takes a place of the workers while it is slow. */
const CALLBACKS_MAX = 16;
/** Longer than this and one day's wake-ups would run into the next day's. */
const BILLING_WINDOW_SECONDS_MAX = 12 * 3_600;

const address = z.strictObject({
  street1: kind.text().optional(),
  street2: kind.text().optional(),
  city: kind.text().optional(),
  state: kind.text().optional(),
  zip: kind.text().optional(),
  country: kind.text().optional().describe('The name of the country.'),
  countryCode: kind.country().optional(),
});

const terms = z.strictObject({
  value: kind.whole(0, DAYS_MAX),
  units: kind.choice(termUnits).describe('Months clip to the end of the month.'),
});

const firstNumber = () => kind.whole(1, NUMBER_MAX).default(1001);
const numbering = z.strictObject({
  order: firstNumber().describe('The first order number.'),
  invoice: firstNumber().describe('The first invoice number.'),
});

const settings = z.strictObject({
  creditUnusedOnCancel: kind
    .flag()
    .default(false)
    .describe(
      'Whether cancelling an order credits what its `isPrepaid`, `isProrated` charges billed for ' +
        'the days from tomorrow.',
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

const user = z.strictObject({
  username: kind.username().describe('The user id of the credentials. Unique.'),
  password: kind.secret().describe('Stored as a hash only.'),
  roles: z.array(kind.choice(['ROLE_API'])).describe('ROLE_API lets the user call the interface.'),
  firstName: kind.text().optional(),
  lastName: kind.text().optional(),
});

const gateway = z.strictObject({
  type: kind.choice(['sandbox', 'stripe']).default('sandbox'),
  secretKey: kind.secret().optional().describe('Needed for stripe. Stored encrypted.'),
  webhookSecret: kind
    .secret()
    .optional()
    .describe(
      'For stripe: of its endpoint `/gateway/stripe` on the host of the tenant, by which its events ' +
        'are verified; there is no such address without it. Stored encrypted.',
    ),
});

const tax = z.strictObject({
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

const overdueStatuses = customerStatuses.filter((status) => status !== 'Active');
const dunning = z.strictObject({
  thresholds: z
    .array(
      z.strictObject({
        daysOverdue: kind.whole(1, DAYS_MAX).describe('Each more than the one before it.'),
        status: kind.choice(overdueStatuses).describe('Each status once.'),
      }),
    )
    .default([
      { daysOverdue: 15, status: 'Overdue1' },
      { daysOverdue: 30, status: 'Overdue2' },
      { daysOverdue: 45, status: 'Overdue3' },
      { daysOverdue: 60, status: 'Suspended1' },
      { daysOverdue: 120, status: 'InActive1' },
    ])
    .describe(
      "The customer's status by the age of the oldest open invoice. Others than before: from the next 00:00.",
    ),
  retryDays: z
    .array(kind.whole(1, 365))
    .optional()
    .describe(
      'Days after the first decline on which an automatic payment is tried again, each more than ' +
        'the one before it. `[1, 3, 5, 7]` if `retryDaysOfMonth` is absent too.',
    ),
  retryDaysOfMonth: z
    .array(kind.whole(1, 31))
    .optional()
    .describe('Days of the month on which it is tried again, instead of `retryDays`.'),
});

const productOffering = z.strictObject({
  sku: kind.text().describe('Unique.'),
  name: kind.text(),
});

const salesAgent = z.strictObject({
  code: kind.text().describe('Unique.'),
  firstName: kind.text().optional(),
  lastName: kind.text().optional(),
  companyName: kind.text().optional(),
  email: kind.email().optional(),
  workPhone: kind.text().optional(),
  cellPhone: kind.text().optional(),
  referenceNumber: kind.text().optional(),
  commissionPlan: kind.text().optional().describe('`commissionCode` of a plan in this file.'),
  address: address.optional(),
});

const selfServiceProfile = z.strictObject({
  id: kind.text().describe('Unique. A page that names no profile uses `DEFAULT`.'),
  showNavigationBar: kind.flag().default(true),
  showStatements: kind.flag().default(true),
  showPayments: kind.flag().default(true),
  allowPayments: kind.flag().default(true),
  allowProfileEdit: kind.flag().default(false),
  editOrderOptions: z.array(kind.choice(['Cancel', 'Upgrade', 'Downgrade', 'New'])).default([]),
  pdfMode: kind.flag().default(false),
});

const hostedPages = z.strictObject({
  allowedOrigins: z
    .array(kind.origin())
    .default([])
    .describe('The sites that may frame the hosted pages, and that these may redirect to.'),
});

export const tenantFile = z.strictObject({
  tenant: kind.label().describe("The tenant's label: the first label of the host name."),
  name: kind.text(),
  timezone: kind.timezone().describe("Billing happens at 00:00 of the tenant's day."),
  currency: kind.currency().describe('The default currency of prices and of new customers.'),
  testClock: kind
    .instant()
    .optional()
    .describe(
      'Starts the tenant on a test clock at this instant. Applying again never moves the clock. ' +
        'Without it the tenant lives in real time.',
    ),
  address: address.optional().describe("The tenant's address on invoices."),
  taxId: kind.taxId().optional().describe('Printed on invoices, below the address.'),
  logo: kind
    .logo()
    .optional()
    .describe('Printed on invoices; at most 370 kB and 4 million pixels, not interlaced.'),
  paymentTerms: terms
    .default({ value: 30, units: 'Days' })
    .describe('When an invoice is due, unless order, plan or customer says so.'),
  numbering: numbering.prefault({}).describe('May be raised later, above the numbers in use.'),
  settings: settings.prefault({}),
  users: z.array(user).default([]).describe('A user removed from the file is disabled.'),
  gateway: gateway.prefault({}).describe('What charges cards and bank accounts.'),
  tax: tax.prefault({}),
  dunning: dunning.prefault({}).describe('What happens when invoices stay unpaid.'),
  callbacks: z
    .array(callback)
    .max(CALLBACKS_MAX, `must have at most ${CALLBACKS_MAX} endpoints`)
    .default([])
    .describe('Endpoints that receive events.'),
  notifications: notifications.optional().describe('Without it no mails are sent.'),
  retention: retention
    .prefault({})
    .describe('For how many days records of what is over are kept. Shortening it deletes them.'),
  productOfferings: z.array(productOffering).default([]),
  plans: z
    .array(plan)
    .default([])
    .describe(
      'A changed plan becomes a new version; existing orders keep theirs. A plan removed from ' +
        'the file is retired: it takes no new order.',
    ),
  coupons: z.array(coupon).default([]),
  commissionPlans: z.array(commissionPlan).default([]),
  salesAgents: z.array(salesAgent).default([]),
  selfServiceProfiles: z.array(selfServiceProfile).default([]),
  hostedPages: hostedPages.prefault({}),
});

/** A file that passed every check, its defaults filled in. */
export type TenantFile = z.output<typeof tenantFile>;
