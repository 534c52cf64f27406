/** The taxes of a tenant. */
import { z } from 'zod';
import { addressFaults } from '../../../domain/customers/addresses.ts';
import { isCountry } from '../../../domain/customers/postal-address.ts';
import { compare } from '../../../domain/money/money.ts';
import {
  categoryAt,
  taxCategories,
  untaxedCategories,
  rateOf,
  ratesFor,
  type GivenRate,
  type TaxAddress,
} from '../../../domain/tax/rates.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { Change } from '../file/changes.ts';
import { isGiven, type Loose } from '../file/loose.ts';
import type { Path, Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import {
  sealed,
  withheldSecret,
  type SecretPlace,
  type StoredSecret,
  type Storing,
} from '../file/secrets.ts';
import type { address } from './address.ts';

/* Remarks customers whose invoices are without tax, though the tenant taxes: no rate matches. */

interface WithTax {
  readonly tax: { readonly type: string; readonly rates: readonly GivenRate[] };
}

interface Place extends TaxAddress {
  readonly customers: number;
  /** The oldest of them. */
  readonly first: number;
}

/** A provider says by itself what it does not tax. */
async function remarkUntaxed(
  tx: Tx,
  { tax: { type, rates: given } }: WithTax,
  remark: Report,
): Promise<void> {
  if (type !== 'table') return;
  const rates = given.map(rateOf);
  const places = await tx.query<Place & Record<string, unknown>>(
    `select k.state, k.country, k.country_code, count(*)::int as customers,
       min(c.id) as first
     from customer c
     left join contact k
       on k.tenant_id = c.tenant_id and k.customer_id = c.id and k.kind = 'billing'
     where c.tenant_id = $1 and c.status not like 'InActive%'
     group by k.state, k.country, k.country_code`,
    [tx.tenantId],
    'places-of-customers',
  );
  const untaxed = places.filter((place) => ratesFor(rates, place).length === 0);
  if (untaxed.length === 0) return;
  const count = untaxed.reduce((sum, { customers }) => sum + customers, 0);
  const first = Math.min(...untaxed.map((place) => place.first));
  const who = count === 1 ? `customer ${first}` : `${count} customers, such as ${first},`;
  remark(['tax', 'rates'], `no rate matches the address of ${who} whose invoices are without tax`);
}

const rate = z.strictObject({
  country: kind.country(),
  state: kind.text().optional().describe('The whole country by default.'),
  percent: kind.percent(),
  taxCode: kind.text().describe('Charges with this code among their `taxCodes` are taxed.'),
  name: kind.text().describe('Shown on the invoice.'),
  category: kind
    .choice(taxCategories)
    .optional()
    .describe(
      'Of EN 16931: standard, zero rated, exempt, reverse charge, intra-community supply, export, ' +
        'not subject to tax. `S` by default, at 0 percent `Z`; the others are at 0 percent.',
    ),
  exemptionReason: kind
    .text()
    .optional()
    .describe(
      'For `E`, which requires it, and in place of `Reverse charge` (`AE`), ' +
        '`Intra-community supply` (`K`), `Export` (`G`), `Not subject to VAT` (`O`).',
    ),
  accountingCode: kind
    .accountingCode()
    .optional()
    .describe('The code of its taxes in the ledger, in place of `accounting.tax`.'),
});

const untaxed = z.strictObject({
  category: kind.choice(untaxedCategories).default('Z').describe('Of EN 16931.'),
  exemptionReason: kind
    .text()
    .optional()
    .describe('For `E`, which requires it, and in place of the usual ones, as in `rates`.'),
});

const schema = z.strictObject({
  type: kind.choice(['none', 'table', 'avatax']).default('none'),
  validateAddresses: kind
    .flag()
    .default(false)
    .describe(
      'For the types `table` and `avatax`: whether the addresses are validated that POST and PUT of ' +
        'customers and contacts send. An invalid one is saved, and the answer is 201 with its ' +
        'faults. AvaTax validates those in the US and in Canada.',
    ),
  oneOffInvoices: kind
    .flag()
    .optional()
    .describe(
      'Whether invoices by POST are taxed, if the call does not say so by `calcTax`. By default they ' +
        'are; those of a tenant that was applied before this key existed are not, until its file names it.',
    ),
  rates: z.array(rate).default([]).describe('At least one for the type `table`.'),
  untaxed: untaxed
    .optional()
    .describe('What electronic invoices say of charges without tax, beside others with it.'),
  accountId: kind.text().optional().describe('Needed for avatax, as the next two are.'),
  licenseKey: kind.secret().optional().describe('Stored encrypted.'),
  companyCode: kind
    .text()
    .optional()
    .describe('The company of the account to which the invoices belong.'),
  url: kind
    .serviceOrigin()
    .optional()
    .describe('For avatax: AvaTax at `https://rest.avatax.com` by default.'),
});

type Tax = z.output<typeof schema>;
type LooseTax = Loose<{
  readonly tax: Tax;
  readonly address: z.output<typeof address>;
}>;
type LooseRate = Loose<z.output<typeof rate>>;
interface ApplyingTax {
  readonly stored: { readonly tax: StoredTax };
  /** Files that were stored before the key existed lack it. */
  readonly previous: { readonly tax?: StoredTax } | undefined;
}
type StoredTax = Omit<Tax, 'licenseKey'> & { readonly licenseKey?: StoredSecret };

const WHOLE_COUNTRY = '';
const accountKeys = ['accountId', 'licenseKey', 'companyCode'] as const;
const LICENSE_KEY = ['tax', 'licenseKey'];

export const tax = {
  schema: schema
    .prefault({})
    .describe(
      'By whom charges are taxed. For avatax the `address` of the tenant is complete: every invoice ' +
        'is taxed from there.',
    ),
  check: (file: LooseTax, report: Report): void => {
    checkType(file, report);
    checkRates(file, report);
    checkUntaxed(file, report);
  },
  remarksOfRows: remarkUntaxed,
  secrets: ({ tax: given }: LooseTax): SecretPlace[] => [
    { path: LICENSE_KEY, secret: given?.licenseKey },
  ],
  store({ licenseKey, ...given }: Tax, storing: Storing<StoredTax>): StoredTax {
    const rest = taxesOneOffInvoices(given, storing.previous);
    if (licenseKey === undefined) return rest;
    const before = storing.previous?.licenseKey;
    return { ...rest, licenseKey: sealed(storing, { path: LICENSE_KEY, before }) };
  },
  /** Nobody waits for a provider that the tenant no longer has. */
  async apply(tx: Tx, { stored, previous }: ApplyingTax): Promise<Change[]> {
    if (previous?.tax?.type === 'avatax' && stored.tax.type !== 'avatax') {
      tx.send('delete from tax_wait where tenant_id = $1', [tx.tenantId], 'end-all-waits');
    }
    return [];
  },
  show: ({ licenseKey, ...rest }: StoredTax) =>
    licenseKey === undefined ? rest : { ...rest, licenseKey: withheldSecret(licenseKey) },
};

/** A stored file without the key was applied before it existed, and its tenant taxes none. */
function taxesOneOffInvoices(
  given: Omit<Tax, 'licenseKey'>,
  previous: StoredTax | undefined,
): Omit<Tax, 'licenseKey'> {
  const isOfBefore = previous !== undefined && previous.oneOffInvoices === undefined;
  if (given.oneOffInvoices !== undefined || isOfBefore) return given;
  return { ...given, oneOffInvoices: true };
}

function checkType(file: LooseTax, report: Report): void {
  const { tax: given } = file;
  if (given?.type === 'table' && given.rates?.length === 0) {
    report(['tax', 'rates'], 'must have at least one rate for the type table');
  }
  if (given?.type === 'none' && given.validateAddresses === true) {
    report(['tax', 'validateAddresses'], 'is for the types table and avatax');
  }
  if (given?.type === undefined) return;
  if (given.type !== 'avatax') {
    for (const key of [...accountKeys, 'url'] as const) {
      if (isGiven(given, key)) report(['tax', key], 'is for the type avatax');
    }
    return;
  }
  for (const key of accountKeys) {
    if (!isGiven(given, key)) report(['tax', key], 'is needed for the type avatax');
  }
  if ((given.rates?.length ?? 0) > 0) report(['tax', 'rates'], 'is not for the type avatax');
  checkHome(file, report);
}

/** AvaTax refuses every invoice from an incomplete address, which would hold every customer. */
function checkHome(file: LooseTax, report: Report): void {
  const missing = 'is needed for the tax type avatax';
  const { address: home } = file;
  if (home === undefined || Object.keys(home).length === 0) {
    if (home !== undefined || !isGiven(file, 'address')) report(['address'], missing);
    return;
  }
  for (const { element, text, value } of addressFaults(home)) {
    if (value !== null) report(['address', element], text);
    // What is given and unreadable is reported already.
    else if (!isGiven(home, element)) report(['address', element], missing);
  }
}

function checkRates({ tax: given }: LooseTax, report: Report): void {
  const seen = new Map<string, Set<string>>();
  given?.rates?.forEach((item, index) => {
    if (!item) return;
    const path = ['tax', 'rates', index] as const;
    checkRate(item, path, report);
    if (!item.country || !item.taxCode || !item.name) return;
    const { country, state = WHOLE_COUNTRY, taxCode, name } = item;
    const key = JSON.stringify([country, taxCode, name]);
    const states = seen.get(key) ?? new Set();
    const isWhole = states.has(WHOLE_COUNTRY) || (state === WHOLE_COUNTRY && states.size > 0);
    if (states.has(state.toUpperCase())) report(path, 'repeats another rate');
    // Their taxes could not be told apart on an invoice.
    else if (isWhole) report([...path, 'name'], 'is that of another rate for the same addresses');
    seen.set(key, states.add(state.toUpperCase()));
  });
}

function checkUntaxed({ tax: given }: LooseTax, report: Report): void {
  const item = given?.untaxed;
  if (!item) return;
  const { category = 'Z' } = item;
  const path = ['tax', 'untaxed', 'exemptionReason'];
  const hasReason = isGiven(item, 'exemptionReason');
  if (category === 'E' && !hasReason) report(path, 'is needed for the category E');
  if (category === 'Z' && hasReason) report(path, 'is not for the category Z');
}

function checkRate(item: LooseRate, path: Path, report: Report): void {
  const { country, percent } = item;
  if (country !== undefined && !isCountry(country)) {
    report([...path, 'country'], `${country} is no country of ISO 3166`);
  }
  if (percent === undefined) return;
  const category = isGiven(item, 'category') ? item.category : categoryAt(percent);
  if (category === undefined) return;
  const isStandard = category === 'S';
  const isZero = compare(percent, '0') === 0;
  if (isStandard && isZero) {
    report([...path, 'percent'], 'must be more than 0 for the category S');
  }
  if (!isStandard && !isZero) {
    report([...path, 'percent'], `must be 0 for the category ${category}`);
  }
  const hasReason = isGiven(item, 'exemptionReason');
  if (category === 'E' && !hasReason) {
    report([...path, 'exemptionReason'], 'is needed for the category E');
  }
  if (hasReason && (isStandard || category === 'Z')) {
    report([...path, 'exemptionReason'], `is not for the category ${category}`);
  }
}
