/** The taxes of a provider on an invoice: what it is asked, and the charges of its answers. */
import test from 'ava';
import type { CreditCharge, InvoiceCharge } from '../../../domain/billing/charges.ts';
import { draftInvoices, type InvoicingInput } from '../../../domain/billing/rate/draft.ts';
import { dueOf } from '../../../domain/billing/due/due.ts';
import { byProvider, taxReturn, taxToRecord } from '../../../domain/billing/rate/provider-tax.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import { add, formatAmount, sum, type Decimal } from '../../../domain/money/money.ts';
import type { TaxAnswer, TaxDocument } from '../../../domain/tax/documents.ts';
import { percentOf } from '../../../domain/billing/rate/percent.ts';
import { noUses } from '../../../domain/discounts/uses.ts';
import { chargeWith, couponWith, lineWith, tiersOf } from '../fixtures.ts';
import { invoicedOrder } from './invoiced.ts';
import { fc } from '../../support/random.ts';

const nowhere = {
  street1: null,
  street2: null,
  city: null,
  state: null,
  zip: null,
  countryCode: 'US',
};
const parties = {
  customerId: 5,
  invoiceDate: '2027-01-01',
  shipFrom: { ...nowhere, state: 'OR' },
  shipTo: { ...nowhere, state: 'NY' },
} as const;

/** New York's state and city, each line rounded by itself. */
function answered({ currency, lines }: TaxDocument): TaxAnswer {
  const rates = [
    ['NY STATE TAX', 'US/36', '4'],
    ['NY CITY TAX', 'US/51000', '4.5'],
  ] as const;
  return lines.map(({ number, amount }) => ({
    number,
    taxes: rates.map(([name, jurisdiction, percent]) => ({
      name,
      jurisdiction,
      percent,
      amount: percentOf(percent, amount, currency),
    })),
  }));
}

interface Priced extends Partial<Charge> {
  readonly price: Decimal;
}

const order = (id: number, charges: readonly Priced[], percent: Decimal | null = null) =>
  invoicedOrder({
    id,
    orderNumber: id,
    invoicedWith: id,
    lines: charges.map(({ price, ...charge }, index) =>
      lineWith({
        id: id * 10 + index,
        position: index + 1,
        charge: chargeWith({
          id: id * 10 + index,
          tiers: tiersOf([['0', null, price]]),
          ...charge,
        }),
      }),
    ),
    coupon:
      percent === null
        ? null
        : {
            coupon: couponWith({ percent }),
            firstPeriod: 0,
            countsFrom: 0,
            sharedBy: id,
            periodsSharedBy: id,
            uses: noUses,
          },
  });

function invoiced(
  orders: readonly ReturnType<typeof order>[],
  answerTo: (document: TaxDocument) => TaxAnswer | null,
  credits: readonly CreditCharge[] = [],
) {
  const input: InvoicingInput = {
    customer: { id: 5, paymentTerms: null, purchaseOrder: null },
    tenantTerms: { value: 30, units: 'Days' },
    today: '2027-01-01',
    orders: orders.map((each) => ({ order: each, due: dueOf(each, '2027-01-01'), credits })),
    taxing: byProvider(parties, answerTo),
  };
  return draftInvoices(input);
}

const shown = (charge: InvoiceCharge): string =>
  charge.kind === 'tax' && 'rate' in charge
    ? `${charge.rate.name} ${charge.rate.taxCode} ${charge.rate.percent} ${charge.amount}`
    : `${charge.kind} ${charge.amount}`;

const taxable = { price: '40.00', priceCode: 'FEE', taxCodes: ['STANDARD', 'OTHER'] };

test('a provider is asked about the charges with a tax code, less their discounts', (t) => {
  const untaxed = { price: '5.00', priceCode: 'FREE', taxCodes: [] };
  const isTax = { price: '1.00', priceCode: 'STAMP', taxCodes: ['STANDARD'], isTax: true };
  const [invoice] = invoiced(
    [order(1, [taxable, untaxed, isTax], '10'), order(2, [{ ...taxable, price: '7.00' }])],
    () => null,
  );
  t.deepEqual(invoice?.asked, {
    document: {
      ...parties,
      currency: 'USD',
      lines: [
        { number: '1', amount: '36.00', taxCode: 'STANDARD', priceCode: 'FEE' },
        { number: '2', amount: '7.00', taxCode: 'STANDARD', priceCode: 'FEE' },
      ],
    },
    credits: [],
    isAnswered: false,
  });
  t.is(
    invoice?.lines.some(({ charges }) =>
      charges.some(({ charge }) => charge.kind === 'tax' && 'rate' in charge),
    ),
    false,
  );
});

test('each jurisdiction is a charge of the line of its order, after the other charges', (t) => {
  // 4 percent of 36.00 is 1.44, 4.5 percent 1.62; of 7.00 it is 0.28 and 0.32.
  const [invoice] = invoiced(
    [order(1, [taxable], '10'), order(2, [{ ...taxable, price: '7.00' }])],
    answered,
  );
  t.true(invoice?.asked?.isAnswered);
  t.deepEqual(
    invoice?.lines.map(({ charges }) => charges.map(({ charge }) => shown(charge))),
    [
      [
        'period 40.00',
        'discount -4.00',
        'NY STATE TAX STANDARD 4 1.44',
        'NY CITY TAX STANDARD 4.5 1.62',
      ],
      ['period 7.00', 'NY STATE TAX STANDARD 4 0.28', 'NY CITY TAX STANDARD 4.5 0.32'],
    ],
  );
  t.is(invoice?.currentAmountDue, '46.66');
});

test('charges of one order share a jurisdiction and code; another code is another charge', (t) => {
  const other = { ...taxable, price: '9.99', taxCodes: ['SW054000'] };
  const [invoice] = invoiced([order(1, [taxable, { ...taxable, price: '0.10' }, other])], answered);
  // 1.60 and 0.00 of 40.00 and 0.10 at 4 percent; 1.80 and 0.00 at 4.5.
  t.deepEqual(
    invoice?.lines[0]?.charges.slice(3).map(({ charge }) => shown(charge)),
    [
      'NY STATE TAX STANDARD 4 1.60',
      'NY CITY TAX STANDARD 4.5 1.80',
      'NY STATE TAX SW054000 4 0.40',
      'NY CITY TAX SW054000 4.5 0.45',
    ],
  );
});

test('an invoice without a tax code asks nobody', (t) => {
  const [invoice] = invoiced([order(1, [{ price: '5.00', taxCodes: [] }])], () => t.fail());
  t.is(invoice?.asked, null);
});

const credit = (amount: Decimal, taxCode: string | null, isTax = false): CreditCharge => ({
  kind: 'credit',
  credits: {
    chargeId: 9,
    orderLineId: 10,
    priceCode: 'OLD',
    accountingCode: null,
    invoiceText: null,
    discount: null,
    taxCode,
    isTax,
  },
  from: '2027-01-01',
  to: '2027-01-14',
  amount,
});

test('credits go along in one line for each tax code, with the tax that they carry back', (t) => {
  const credits = [
    credit('-13.53', 'STANDARD'),
    credit('1.35', 'STANDARD'),
    credit('-5.00', 'SW054000'),
    credit('-2.00', null),
    credit('-0.49', 'STANDARD', true),
    credit('-0.55', 'STANDARD', true),
  ];
  const [invoice] = invoiced([order(1, [taxable])], answered, credits);
  const lines = [{ number: '1', amount: '40.00', taxCode: 'STANDARD', priceCode: 'FEE' }];
  // 40.00 - 12.18 - 5.00; 1.60 and 1.80 of 40.00, less 1.04
  t.deepEqual(invoice && taxToRecord(invoice), {
    document: { ...parties, currency: 'USD', lines },
    credits: [
      { number: '2', amount: '-12.18', taxAmount: '-1.04', taxCode: 'STANDARD' },
      { number: '3', amount: '-5.00', taxAmount: '0.00', taxCode: 'SW054000' },
    ],
    total: '22.82',
    tax: '2.36',
  });
  // No tax is taken of credits.
  t.is(invoice?.currentAmountDue, '23.18');
  const [plain] = invoiced([order(1, [taxable])], answered);
  t.like(plain && taxToRecord(plain), { total: '40.00', tax: '3.40' });
});

test('what goes back without an invoice is told as a return', (t) => {
  const asked = { ...parties, currency: 'USD' };
  const credits = [credit('-21.00', 'STANDARD'), credit('-1.87', 'STANDARD', true)];
  t.deepEqual(taxReturn(credits, asked), {
    document: { ...parties, currency: 'USD', lines: [] },
    credits: [{ number: '1', amount: '-21.00', taxAmount: '-1.87', taxCode: 'STANDARD' }],
    total: '-21.00',
    tax: '-1.87',
  });
  // A tax alone goes back, too.
  t.like(taxReturn([credit('-0.50', 'STANDARD', true)], asked), { total: '0.00', tax: '-0.50' });
  t.is(taxReturn([credit('-5.00', null)], asked), null);
});

/** An order's usage of 40.00, of which 8.00 of earlier usage go back. */
const usageOf = (charge: Partial<Charge>) => {
  const metered = lineWith({
    id: 10,
    charge: chargeWith({ chargeType: 'UsageCharge', ...charge }),
  });
  const days = { from: '2027-01-01', to: '2027-01-31', dueOn: '2027-02-01' };
  const window = { line: metered, periodIndex: 0, ofPeriod: 0, ...days };
  const part = { kind: 'usage', window, tierId: 1, isPercent: false, quantity: '1' } as const;
  const used = { ...part, unitPrice: '40.00', amount: '40.00' };
  const corrects = [{ chargeId: 9, amount: '8.00', supplied: '0' }];
  const back = { ...part, tierId: null, unitPrice: null, amount: '-8.00', corrects };
  const sum = {
    kind: 'usageSubTotal',
    window,
    quantity: '2',
    percent: null,
    shared: null,
  } as const;
  return [back, used, { ...sum, amount: '32.00' }] as const;
};

test('a provider is asked about usage once, and told what corrections give back', (t) => {
  const charges = usageOf({ taxCodes: ['STANDARD'] });
  const { lines, asked } = byProvider(parties, answered)([charges], 'USD');
  t.deepEqual(
    asked?.document.lines.map(({ number, amount }) => `${number} ${amount}`),
    ['1 40.00'],
  );
  t.deepEqual(asked?.credits, [
    { number: '2', amount: '-8.00', taxAmount: '0.00', taxCode: 'STANDARD' },
  ]);
  // Each tax is of the usage alone.
  t.deepEqual(
    lines[0]?.flatMap((each) =>
      'rate' in each ? [`${each.amount} of ${each.base.map(({ amount }) => amount).join()}`] : [],
    ),
    ['1.60 of 40.00', '1.80 of 40.00'],
  );
});

test('a tax of several charges is of all of them', (t) => {
  const [invoice] = invoiced([order(1, [taxable, { ...taxable, price: '7.00' }], '10')], answered);
  const bases = invoice?.lines[0]?.charges.flatMap(({ charge }) =>
    'rate' in charge ? [charge.base.map(({ amount }) => amount).join(' ')] : [],
  );
  t.deepEqual(bases, ['40.00 -4.00 7.00 -0.70', '40.00 -4.00 7.00 -0.70']);
});

test('an invoice of credits alone asks nobody, and is recorded', (t) => {
  const free = { price: '5.00', taxCodes: [] };
  const credits = [credit('-10.00', 'STANDARD'), credit('-0.85', 'STANDARD', true)];
  const [invoice] = invoiced([order(1, [free])], () => t.fail(), credits);
  t.true(invoice?.asked?.isAnswered);
  t.deepEqual(invoice && taxToRecord(invoice), {
    document: { ...parties, currency: 'USD', lines: [] },
    credits: [{ number: '1', amount: '-10.00', taxAmount: '-0.85', taxCode: 'STANDARD' }],
    total: '-10.00',
    tax: '-0.85',
  });
});

test('credits without a tax code, and those that come to nothing, are not told', (t) => {
  const free = { price: '5.00', taxCodes: [] };
  const credits = [credit('-2.00', null), credit('-3.00', 'STANDARD'), credit('3.00', 'STANDARD')];
  const [invoice] = invoiced([order(1, [free])], () => t.fail(), credits);
  t.is(invoice?.asked, null);
  t.is(invoice && taxToRecord(invoice), null);
});

test('an invoice comes to its charges and the taxes of the answer, each line rounded once', (t) => {
  const prices = fc.integer({ min: 0, max: 100_000 }).map((cents) => (cents / 100).toFixed(2));
  const charge = fc.record({
    price: prices,
    taxCodes: fc.constantFrom([], ['STANDARD'], ['SW054000']),
  });
  const orders = fc.array(
    fc.record({
      charges: fc.array(charge, { minLength: 1, maxLength: 4 }),
      coupon: fc.constantFrom(null, '10', '33.3'),
    }),
    { minLength: 1, maxLength: 3 },
  );
  const property = fc.property(orders, (random) => {
    const all = random.map(({ charges, coupon }, index) => order(index + 1, charges, coupon));
    const [plain] = invoiced(all, () => null);
    const [taxed] = invoiced(all, answered);
    if (plain === undefined || taxed === undefined) return;
    const { document } = plain.asked ?? {};
    t.deepEqual(taxed.asked?.document, document);
    const taxes = document === undefined ? [] : answered(document).flatMap((line) => line.taxes);
    const expected = add(plain.currentAmountDue, sum(taxes.map(({ amount }) => amount)));
    t.is(taxed.currentAmountDue, formatAmount('USD', expected));
  });
  fc.assert(property, { numRuns: 200 });
});
