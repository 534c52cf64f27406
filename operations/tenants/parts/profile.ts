/** Who the tenant is, and where and when it lives: the keys of a tenant file that stand alone. */
import { z } from 'zod';
import { termUnits } from '../../../domain/calendar/terms.ts';
import { seriesOf } from '../../../domain/invoices/number-series.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import type { Withheld } from '../file/secrets.ts';
import { address } from './address.ts';

const DAYS_MAX = 3_650;
const NUMBER_MAX = 999_999_999_999;
const SERIES_START_MAX = 9_999_999_999;
const DIGITS_MAX = 10;

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
  readonly numbering: z.output<typeof numbering>;
}>;

/** Reports an object without any key. */
function notEmpty(key: keyof Parts, { shape }: z.ZodObject) {
  return (file: Parts, report: Report): void => {
    const given = file[key];
    if (given === undefined || Object.keys(given).length > 0) return;
    report([key], `must have at least one of ${Object.keys(shape).join(', ')}`);
  };
}

const firstNumber = () => kind.whole(1, NUMBER_MAX);

const series = z.strictObject({
  start: kind
    .whole(1, SERIES_START_MAX)
    .optional()
    .describe('The first number: 1001 if it is missing, 1 of a yearly series.'),
  prefix: kind
    .numberPrefix()
    .optional()
    .describe("The text before the number; {YYYY} and {YY} are the year of the document's date."),
  digits: kind
    .whole(1, DIGITS_MAX)
    .optional()
    .describe('At least so many, filled up with zeros; 1 if it is missing.'),
  yearly: kind
    .flag()
    .optional()
    .describe('Whether the series begins anew with each year, which its prefix must have.'),
});

const numbering = z.strictObject({
  order: firstNumber().default(1001).describe('The first order number.'),
  invoice: kind
    .abbreviable(firstNumber(), series)
    .default(1001)
    .describe('The first invoice number, or the series of invoice numbers.'),
  creditNote: kind
    .abbreviable(firstNumber(), series)
    .optional()
    .describe(
      'The series of credit notes and of cancellation documents. If it is missing, their numbers are among those of invoices.',
    ),
});

/** What of the series is wrong whatever numbers they have given. */
function checkNumbering({ numbering: written }: Parts, report: Report): void {
  for (const key of ['invoice', 'creditNote'] as const) {
    const { prefix, yearly } = seriesOf(written?.[key]);
    if (yearly && !prefix.includes('{')) {
      report(['numbering', key, 'prefix'], 'of a yearly series must have {YYYY} or {YY}');
    }
  }
}

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
    check: checkNumbering,
  },
};

function pictureText(uri: string): Withheld {
  const [type = ''] = uri.slice('data:'.length).split(';');
  const bytes = Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64').length;
  return { withheld: `${type}, ${Math.ceil(bytes / 1_000)} kB` };
}
