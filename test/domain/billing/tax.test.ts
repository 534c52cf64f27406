/** The amounts of a plan's isTax charges, and of the taxes of the tenant's table. */
import test from 'ava';
import { adjust } from '../../../domain/billing/rate/draft.ts';
import type { InvoiceCharge } from '../../../domain/billing/charges.ts';
import { tax } from '../../../domain/billing/rate/tax.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import { formatAmount, sum } from '../../../domain/money/money.ts';
import { ratesFor, type TaxRate } from '../../../domain/tax/rates.ts';
import { chargeWith, lineWith } from '../fixtures.ts';
import { fc } from '../../support/random.ts';
import { amountsOf, costing, dueWith, percentOfOthers } from './rated.ts';

test('an isTax percentage applies to everything but taxes, including percentages and discounts', (t) => {
  const charges = [
    costing('31.00'),
    costing('-1.00', { kind: 'discount' }),
    percentOfOthers('10'),
    costing('2.00', { kind: 'tax' }),
    costing('9.00', { kind: 'usageSubTotal' }),
    percentOfOthers('20', { lineId: 51, kind: 'tax' }),
    percentOfOthers('1', { lineId: 52, kind: 'tax' }),
  ];
  // 10 percent of 31.00 is 3.10; 20 and 1 percent of 33.10.
  t.deepEqual(amountsOf(tax(adjust(charges, 'USD'), 'USD', [])), [
    '31.00',
    '-1.00',
    '3.10',
    '2.00',
    '9.00',
    '6.62',
    '0.33',
  ]);
});

test('a charge without an amount at that stage is a bug', (t) => {
  t.throws(() => tax([percentOfOthers('10')], 'USD', []), { message: /has its amount/ });
});

const rateWith = (changes: Partial<TaxRate>): TaxRate => ({
  country: 'CA',
  state: null,
  percent: '5',
  taxCode: 'STANDARD',
  name: 'GST',
  category: 'S',
  exemptionReason: null,
  ...changes,
});
const gst = rateWith({});
const qst = rateWith({ state: 'QC', percent: '9.975', name: 'QST' });
const coded = (amount: string, taxCodes: readonly string[], changes: Partial<Charge> = {}) => {
  const line = lineWith({ charge: chargeWith({ taxCodes, ...changes }) });
  return costing(amount, { kind: 'period', due: dueWith({ line }) });
};
const lessOf = (of: InvoiceCharge, amount: string): InvoiceCharge => {
  if (!('due' in of)) throw new Error('not of a period');
  return costing(amount, { kind: 'discount', due: of.due });
};

test('each rate is taken of the charges with its code after their discounts, rounded once', (t) => {
  const fee = coded('40.00', ['STANDARD']);
  const charges = [fee, lessOf(fee, '-4.00'), coded('7.00', [])];
  t.deepEqual(amountsOf(tax(charges, 'CAD', [gst, qst])), [
    '40.00',
    '-4.00',
    '7.00',
    '1.80',
    '3.59',
  ]);
  const taxes = tax(charges, 'CAD', [gst, qst]).filter(({ kind }) => kind === 'tax');
  t.deepEqual(
    taxes.map((each) => ('base' in each ? each.base.map(({ amount }) => amount) : [])),
    [
      ['40.00', '-4.00'],
      ['40.00', '-4.00'],
    ],
  );
});

test('a tax keeps the jurisdiction of its rate: its country, and the code of its state', (t) => {
  const rates = [gst, rateWith({ state: 'Québec', name: 'QST' }), rateWith({ state: 'xy' })];
  const taxes = tax([coded('40.00', ['STANDARD'])], 'CAD', rates);
  t.deepEqual(
    taxes.flatMap((each) => ('rate' in each ? [each.rate.jurisdiction] : [])),
    ['CA', 'CA/QC', 'CA/XY'],
  );
});

test('a rate of zero percent makes a charge, and a rate without charges makes none', (t) => {
  const exempt = rateWith({ percent: '0', category: 'E', exemptionReason: 'Education' });
  t.deepEqual(amountsOf(tax([coded('40.00', ['STANDARD'])], 'CAD', [exempt])), ['40.00', '0.00']);
  t.deepEqual(amountsOf(tax([coded('40.00', ['REDUCED'])], 'CAD', [gst])), ['40.00']);
});

test('taxes, isTax charges and credits are not taxed', (t) => {
  const due = dueWith({ line: lineWith({ charge: chargeWith({ taxCodes: ['STANDARD'] }) }) });
  const charges = [
    costing('2.00', { kind: 'tax', due }),
    costing('9.00', { kind: 'usageSubTotal', due }),
    costing('-4.00', { kind: 'credit', due }),
    coded('3.00', ['STANDARD'], { isTax: true, isPenalty: true }),
  ];
  t.deepEqual(amountsOf(tax(charges, 'CAD', [gst])), amountsOf(charges));
  const penalty = costing('10.00', { kind: 'penalty', due });
  t.deepEqual(amountsOf(tax([penalty], 'CAD', [gst])), ['10.00', '0.50']);
});

test('usage is taxed, and what corrects billed usage carries its tax of then', (t) => {
  const due = dueWith({ line: lineWith({ charge: chargeWith({ taxCodes: ['STANDARD'] }) }) });
  const usage = costing('40.00', { kind: 'usage', due });
  const back = costing('-8.00', { kind: 'usage', due });
  if (back.kind !== 'usage') return t.fail();
  const corrects = [{ chargeId: 11, amount: '8.00', supplied: '0' }];
  const charges = [usage, { ...back, corrects }];
  t.deepEqual(amountsOf(tax(charges, 'CAD', [gst])), ['40.00', '-8.00', '2.00']);
  // Nor does an isTax percentage see it.
  const planTax = percentOfOthers('20', { kind: 'tax' });
  t.deepEqual(amountsOf(tax([...charges, planTax], 'CAD', [])), ['40.00', '-8.00', '8.00']);
});

test('the rates of an address are those of its country and state, whatever the case', (t) => {
  const rates = [gst, qst, rateWith({ country: 'US', state: 'NY', name: 'NY' })];
  const namesFor = (state: string | null, country: string | null, countryCode: string | null) =>
    ratesFor(rates, { state, country, countryCode }).map(({ name }) => name);
  t.deepEqual(namesFor('qc', null, 'CA'), ['GST', 'QST']);
  t.deepEqual(namesFor('ON', 'CA', null), ['GST']);
  t.deepEqual(namesFor(' Ny ', 'United States', 'us'), ['NY']);
  t.deepEqual(namesFor('NY', 'United States', null), []);
  t.deepEqual(namesFor(null, null, 'US'), []);
  t.deepEqual(ratesFor(rates, null), []);
});

test('the tax of an invoice is the sum over rates of the rounded tax of each line', (t) => {
  const cents = fc.integer({ min: 0, max: 99_999 }).map((value) => (value / 100).toFixed(2));
  const percents = fc.integer({ min: 0, max: 25_000 }).map((value) => (value / 1_000).toFixed(3));
  fc.assert(
    fc.property(
      fc.array(fc.array(cents, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      fc.array(percents, { minLength: 1, maxLength: 3 }),
      (lines, rates) => {
        const table = rates.map((percent) => rateWith({ percent, name: percent }));
        const charges = lines.flatMap((amounts) =>
          tax(
            amounts.map((amount) => coded(amount, ['STANDARD'])),
            'CAD',
            table,
          ),
        );
        const taxed = sum(charges.filter(({ kind }) => kind === 'tax').map((each) => each.amount));
        // In millionths of a cent, rounded half away from zero.
        const inCents = lines.flatMap((amounts) => {
          const base = amounts.reduce((all, amount) => all + BigInt(amount.replace('.', '')), 0n);
          return rates.map((percent) => {
            const exact = base * BigInt(percent.replace('.', ''));
            return (exact * 2n + 100_000n) / 200_000n;
          });
        });
        const expected = inCents.reduce((all, each) => all + each, 0n);
        t.is(BigInt(formatAmount('CAD', taxed).replace('.', '')), expected);
      },
    ),
  );
});
