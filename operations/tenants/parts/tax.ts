/** The taxes of a tenant. */
import { z } from 'zod';
import { isCountry } from '../../../domain/customers/countries.ts';
import { compare } from '../../../domain/money/money.ts';
import { categoryAt, taxCategories } from '../../../domain/tax/rates.ts';
import { isGiven, type Loose } from '../file/loose.ts';
import type { Path, Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';

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
});

const schema = z.strictObject({
  type: kind.choice(['none', 'table']).default('none'),
  validateAddresses: kind
    .flag()
    .default(false)
    .describe(
      'For the type `table`: whether the addresses are validated that POST and PUT of customers and ' +
        'contacts send. An invalid one is saved, and the answer is 201 with what is wrong.',
    ),
  rates: z.array(rate).default([]).describe('At least one for the type `table`.'),
});

const WHOLE_COUNTRY = '';

type LooseTax = Loose<{ readonly tax: z.output<typeof schema> }>;
type LooseRate = Loose<z.output<typeof rate>>;

export const tax = {
  schema: schema.prefault({}),
  check: checkTax,
};

function checkTax({ tax: given }: LooseTax, report: Report): void {
  if (given?.type === 'table' && given.rates?.length === 0) {
    report(['tax', 'rates'], 'must have at least one rate for the type table');
  }
  if (given?.type === 'none' && given.validateAddresses === true) {
    report(['tax', 'validateAddresses'], 'is for the type table');
  }
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
