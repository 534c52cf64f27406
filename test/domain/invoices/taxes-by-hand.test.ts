/** The taxes of invoices by hand: the codes of their charges, and what the rates take of them. */
import test from 'ava';
import { byProvider } from '../../../domain/billing/rate/provider-tax.ts';
import { byRates, type Taxing } from '../../../domain/billing/rate/tax.ts';
import {
  draftByHand,
  type ManualChargeInput,
  type ManualLineInput,
} from '../../../domain/invoices/by-hand.ts';
import { isTaxed, taxCodesByHand, taxedByHand } from '../../../domain/invoices/taxes-by-hand.ts';
import { add, sum } from '../../../domain/money/money.ts';
import { taxedAddress } from '../../../domain/tax/documents.ts';
import { rateOf } from '../../../domain/tax/rates.ts';
import { fc } from '../../support/random.ts';

const rate = (name: string, percent: string, taxCode = 'STANDARD') =>
  rateOf({ country: 'US', state: 'NY', percent, taxCode, name });
const newYork = rate('NY sales tax', '8.875');

const lineOf = (...charges: readonly ManualChargeInput[]): ManualLineInput => ({
  invoiceLineItemCharges: charges,
});

/** In dollars: each charge is taxed by the codes that it names. */
function drafted(invoiceLineItems: readonly ManualLineInput[]) {
  return draftByHand(
    { invoiceLineItems },
    {
      customerId: 5,
      currency: 'USD',
      today: '2027-01-15',
      terms: { value: 30, units: 'Days' },
      purchaseOrder: null,
      orders: [],
      taxCodesOf: ({ taxCodes }) => taxCodes ?? [],
    },
  );
}

/** `97.99: 97.99 = 1 VISIT 90.00, 2 TAX 7.99`. */
function taxedText(lines: readonly ManualLineInput[], taxing: Taxing): string {
  const invoice = taxedByHand(drafted(lines), taxing);
  const texts = invoice.lines.map(({ lineAmountTotal, charges }) => {
    const shown = charges.map(
      ({ position, priceCode, amount }) => `${position} ${priceCode} ${amount}`,
    );
    return `${lineAmountTotal} = ${shown.join(', ')}`;
  });
  return `${invoice.currentAmountDue}: ${texts.join('; ')}`;
}

const standard = { taxCodes: ['STANDARD'] };
const visit = { priceCode: 'VISIT', unitPrice: '60.00', quantity: '1.5', ...standard };
const free = { priceCode: 'FREE', amount: '5.00' };

test('a rate is taken once of the charges of a line with its code, negative ones too', (t) => {
  const back = { priceCode: 'BACK', amount: '-20.00', ...standard };
  for (const [lines, expected] of [
    // 8.875 percent of 90.00 is 7.9875.
    [[lineOf(visit)], '97.99: 97.99 = 1 VISIT 90.00, 2 TAX 7.99'],
    // Of 70.00 it is 6.2125.
    [
      [lineOf(visit, free, back)],
      '81.21: 81.21 = 1 VISIT 90.00, 2 FREE 5.00, 3 BACK -20.00, 4 TAX 6.21',
    ],
    // Of -20.00 it is -1.775.
    [[lineOf(back)], '-21.78: -21.78 = 1 BACK -20.00, 2 TAX -1.78'],
    [[lineOf(free)], '5.00: 5.00 = 1 FREE 5.00'],
    [
      [lineOf(visit), lineOf(visit)],
      '195.98: 97.99 = 1 VISIT 90.00, 2 TAX 7.99; 97.99 = 1 VISIT 90.00, 2 TAX 7.99',
    ],
  ] as const) {
    t.is(taxedText(lines, byRates([newYork])), expected);
  }
});

test('each rate makes a charge of its own, and a percentage by hand is taxed like any other', (t) => {
  const city = rate('City tax', '1', 'CITY');
  const rush = { priceCode: 'RUSH', isPercent: true, unitPrice: '10', ...standard };
  const both = { ...visit, taxCodes: ['STANDARD', 'CITY'] };
  // 8.875 percent of 99.00 is 8.78625, 1 percent of 90.00 is 0.90.
  t.is(
    taxedText([lineOf(both, rush)], byRates([newYork, city])),
    '108.69: 108.69 = 1 VISIT 90.00, 2 RUSH 9.00, 3 TAX 8.79, 4 TAX 0.90',
  );
});

test('taxes come after the highest position; positions that charges share become their places', (t) => {
  const at = (position: number) => ({ ...visit, position });
  const taxing = byRates([newYork]);
  t.regex(taxedText([lineOf(at(7), at(3))], taxing), /= 7 VISIT .*, 3 VISIT .*, 8 TAX 15\.98$/);
  t.regex(
    taxedText([lineOf({ ...free, position: 4 }, at(4), { ...free, position: 2 })], taxing),
    /= 1 FREE 5\.00, 2 FREE 5\.00, 3 VISIT 90\.00, 4 TAX 7\.99$/,
  );
});

test('a line whose tax is more than the books can hold is refused by its path', (t) => {
  const much = { amount: '9999999999999999.00', ...standard };
  t.throws(() => taxedText([lineOf(free), lineOf(much)], byRates([newYork])), {
    code: 'field.invalid',
    message: /more than the books can hold/,
  });
});

test('a provider is asked about each charge with a code, by its first one', (t) => {
  const address = taxedAddress({ state: 'NY', countryCode: 'US' });
  const parties = { customerId: 5, invoiceDate: '2027-01-15', shipFrom: address, shipTo: address };
  const unnamed = { amount: '-10.00', taxCodes: ['DIGITAL', 'STANDARD'] };
  const lines = [lineOf(visit, free), lineOf(unnamed)];
  const asked = taxedByHand(
    drafted(lines),
    byProvider(parties, () => null),
  );
  t.false(asked.asked?.isAnswered);
  t.is(asked.currentAmountDue, '85.00');
  t.deepEqual(asked.asked?.document.lines, [
    { number: '1', amount: '90.00', taxCode: 'STANDARD', priceCode: 'VISIT' },
    { number: '2', amount: '-10.00', taxCode: 'DIGITAL', priceCode: null },
  ]);
  const tax = { name: 'NY STATE TAX', jurisdiction: 'US/36', percent: '4' };
  const answer = [
    { number: '1', taxes: [{ ...tax, amount: '3.60' }] },
    { number: '2', taxes: [{ ...tax, amount: '-0.40' }] },
  ];
  t.is(
    taxedText(
      lines,
      byProvider(parties, () => answer),
    ),
    '88.20: 98.60 = 1 VISIT 90.00, 2 FREE 5.00, 3 TAX 3.60; -10.40 = 1 null -10.00, 2 TAX -0.40',
  );
});

test('an invoice is taxed as the call says, else as the file says, and not beside a charge TAX', (t) => {
  const input = { invoiceLineItems: [lineOf(visit), lineOf(free)] };
  const withTax = {
    invoiceLineItems: [lineOf(visit), lineOf(free, { priceCode: 'TAX', amount: '1' })],
  };
  for (const [asked, byFile, expected] of [
    [null, true, true],
    [null, false, false],
    [true, false, true],
    [false, true, false],
  ] as const) {
    t.is(isTaxed(input, { asked, byFile }), expected);
    t.false(isTaxed(withTax, { asked, byFile }));
  }
});

const ofPlan = (planId: number, taxCodes: readonly string[], changes: object = {}) => ({
  planId,
  isNewest: true,
  priceCode: 'VISIT',
  isTax: false,
  taxCodes,
  ...changes,
});

test('the codes of a charge are its own, else those of its order’s plan, else those on which plans agree', (t) => {
  const gold = ofPlan(1, ['STANDARD', 'CITY']);
  const silver = ofPlan(2, ['CITY', 'STANDARD']);
  const reduced = ofPlan(3, ['REDUCED']);
  const old = ofPlan(4, ['OLD'], { isNewest: false });
  const isTax = ofPlan(5, ['STANDARD'], { isTax: true });
  const of = (
    charge: Pick<ManualChargeInput, 'taxCodes' | 'priceCode'>,
    planId: number | null,
    ...plans: readonly ReturnType<typeof ofPlan>[]
  ) => taxCodesByHand(charge, { planId, plans });
  const visited = { priceCode: 'VISIT' };
  t.deepEqual(of({ ...visited, taxCodes: ['OWN'] }, 1, gold), ['OWN']);
  t.deepEqual(of({ ...visited, taxCodes: [] }, 1, gold), []);
  t.deepEqual(of({ ...visited, taxCodes: null }, 1, gold), []);
  t.deepEqual(of(visited, 3, gold, reduced), ['REDUCED']);
  t.deepEqual(of(visited, 4, gold, old), ['OLD']);
  // The order's plan has no such charge.
  t.deepEqual(of(visited, 9, reduced, old), ['REDUCED']);
  t.deepEqual(of(visited, null, gold, silver, old), ['STANDARD', 'CITY']);
  t.deepEqual(of(visited, null, gold, reduced), []);
  t.deepEqual(of(visited, null, isTax), []);
  t.deepEqual(of(visited, null, gold, isTax), []);
  t.deepEqual(of(visited, 5, gold, isTax), []);
  t.deepEqual(of({ priceCode: 'OTHER' }, null, gold), []);
  t.deepEqual(of({}, null, gold), []);
});

test('whatever its charges, an invoice comes to them and to the rounded taxes of each line', (t) => {
  const cents = fc.integer({ min: -99_999, max: 99_999 }).map((value) => (value / 100).toFixed(2));
  const charge = fc.record({
    amount: cents,
    position: fc.option(fc.integer({ min: 0, max: 4 })),
    taxCodes: fc.subarray(['STANDARD', 'CITY', 'NONE']),
  });
  const lines = fc.array(fc.array(charge, { maxLength: 5 }), { minLength: 1, maxLength: 4 });
  const rates = [newYork, rate('City tax', '1.5', 'CITY')];
  const property = fc.property(lines, (given) => {
    const untaxed = drafted(given.map((charges) => lineOf(...charges)));
    const taxed = taxedByHand(untaxed, byRates(rates));
    const taxes = taxed.lines.flatMap(({ charges }) =>
      charges.flatMap(({ charge: each }) => ('rate' in each ? [each] : [])),
    );
    const total = add(untaxed.currentAmountDue, sum(taxes.map(({ amount }) => amount)));
    t.is(add(total, '0'), add(taxed.currentAmountDue, '0'));
    for (const line of taxed.lines) {
      const positions = line.charges.map(({ position }) => position);
      if (line.charges.some(({ charge: each }) => 'rate' in each)) {
        t.is(new Set(positions).size, positions.length);
      }
    }
    for (const { base, rate: of } of taxes) {
      t.true(base.every((each) => each.kind === 'manual' && each.taxCodes.includes(of.taxCode)));
    }
  });
  fc.assert(property);
});
