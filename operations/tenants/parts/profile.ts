/** Who the tenant is, and where and when it lives: the keys of a tenant file that stand alone. */
import { z } from 'zod';
import { termUnits } from '../../../domain/calendar/terms.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import type { Withheld } from '../file/secrets.ts';
import { address } from './address.ts';

const DAYS_MAX = 3_650;
const NUMBER_MAX = 999_999_999_999;

const terms = z.strictObject({
  value: kind.whole(0, DAYS_MAX),
  units: kind.choice(termUnits).describe('Months clip to the end of the month.'),
});

const contact = z.strictObject({
  name: kind.text().optional(),
  phone: kind.text().optional(),
  email: kind.email().optional(),
});

const bankAccount = z.strictObject({
  holder: kind.text().optional().describe('If it is not the `name` of the tenant.'),
  iban: kind.iban().optional().describe('Blanks do not matter.'),
  bic: kind.bic().optional(),
  note: kind
    .text()
    .optional()
    .describe('What a payer has to know beside, or the account where there is no IBAN.'),
});

type Parts = Loose<{
  readonly contact: z.output<typeof contact>;
  readonly bankAccount: z.output<typeof bankAccount>;
}>;

/** Reports an object without any key. */
function notEmpty(key: keyof Parts, { shape }: z.ZodObject) {
  return (file: Parts, report: Report): void => {
    const given = file[key];
    if (given === undefined || Object.keys(given).length > 0) return;
    report([key], `must have at least one of ${Object.keys(shape).join(', ')}`);
  };
}

const firstNumber = () => kind.whole(1, NUMBER_MAX).default(1001);
const numbering = z.strictObject({
  order: firstNumber().describe('The first order number.'),
  invoice: firstNumber().describe('The first invoice number.'),
});

/** The row of the tenant and its counters hold them: `tenant-row.ts` says which may change later. */
export const profile = {
  tenant: {
    schema: kind.label().describe("The tenant's label: the first label of the host name."),
  },
  name: { schema: kind.text() },
  timezone: {
    schema: kind.timezone().describe("Billing happens at 00:00 of the tenant's day."),
  },
  currency: {
    schema: kind.currency().describe('The default currency of prices and of new customers.'),
  },
  testClock: {
    schema: kind
      .instant()
      .optional()
      .describe(
        'Starts the tenant on a test clock at this instant. Applying again never moves the clock. ' +
          'Without it the tenant lives in real time.',
      ),
    // A clock that has started is warned of, because nothing changes.
    changes: () => [],
  },
  address: { schema: address.optional().describe("The tenant's address on invoices.") },
  taxId: {
    schema: kind.taxId().optional().describe('Printed on invoices, below the address.'),
  },
  electronicAddress: {
    schema: kind
      .electronicAddress()
      .optional()
      .describe('Of electronic invoices (`format=ubl`), which need it.'),
  },
  contact: {
    schema: contact.optional().describe('Whom to ask about an invoice; printed on invoices.'),
    check: notEmpty('contact', contact),
  },
  bankAccount: {
    schema: bankAccount.optional().describe('Where to pay to; printed on invoices.'),
    check: notEmpty('bankAccount', bankAccount),
  },
  logo: {
    schema: kind
      .logo()
      .optional()
      .describe(
        'Printed on invoices and shown on pages; at most 370 kB and 4 million pixels, not interlaced.',
      ),
    show: (logo: string | undefined) => (logo?.startsWith('data:') ? pictureText(logo) : logo),
  },
  paymentTerms: {
    schema: terms
      .default({ value: 30, units: 'Days' })
      .describe('When an invoice is due, unless order, plan or customer says so.'),
  },
  numbering: {
    schema: numbering.prefault({}).describe('May be raised later, above the numbers in use.'),
  },
};

function pictureText(uri: string): Withheld {
  const [type = ''] = uri.slice('data:'.length).split(';');
  const bytes = Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64').length;
  return { withheld: `${type}, ${Math.ceil(bytes / 1_000)} kB` };
}
