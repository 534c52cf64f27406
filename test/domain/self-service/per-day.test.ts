/** What orders cost per day: the table of the rule, and that prices have one order. */
import test from 'ava';
import {
  comparePerDay,
  recurringPrice,
  type PeriodPrice,
  type RecurringLine,
} from '../../../domain/self-service/per-day.ts';
import { billingPeriods, type BillingPeriod } from '../../../domain/calendar/calendar.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import { formatDecimal } from '../../../domain/money/money.ts';
import { fc } from '../../support/random.ts';

const price = (amount: string, billingPeriod: BillingPeriod): PeriodPrice => ({
  amount,
  billingPeriod,
});

const table: readonly (readonly [PeriodPrice, '<' | '=' | '>', PeriodPrice, string])[] = [
  [price('29.95', 'Monthly'), '>', price('348.00', 'Yearly'), '0.985 and 0.953'],
  [price('29.95', 'Monthly'), '<', price('359.41', 'Yearly'), '12 x 29.95 = 359.40'],
  [price('29.95', 'Monthly'), '=', price('359.40', 'Yearly'), 'to the cent'],
  [price('29.95', 'Monthly'), '>', price('359.399999', 'Yearly'), 'to the millionth'],
  [price('1', 'Daily'), '=', price('365', 'Yearly'), 'a year has 365 days'],
  [price('7', 'Weekly'), '=', price('1.00', 'Daily'), 'a week has 7'],
  [price('7', 'Weekly'), '=', price('365', 'Yearly'), 'the same through both'],
  [price('30', 'Monthly'), '<', price('1', 'Daily'), '0.986'],
  [price('90', 'Quarterly'), '=', price('30', 'Monthly'), 'a quarter has three months'],
  [price('180', 'SemiAnnual'), '=', price('30', 'Monthly'), 'half a year has six'],
  [price('180.01', 'SemiAnnual'), '>', price('90', 'Quarterly'), '0.98636 and 0.98630'],
  [price('0', 'Monthly'), '=', price('0', 'Yearly'), 'nothing is nothing'],
  [price('-1', 'Daily'), '<', price('0', 'Yearly'), 'agreed prices may be negative'],
];

for (const [left, is, right, why] of table) {
  const text = ({ amount, billingPeriod }: PeriodPrice) => `${amount} ${billingPeriod}`;
  test(`per day ${text(left)} ${is} ${text(right)}: ${why}`, (t) => {
    t.is(comparePerDay(left, right), ({ '<': -1, '=': 0, '>': 1 } as const)[is]);
  });
}

const anyPrice = fc.record({
  amount: fc
    .integer({ min: -100_000, max: 100_000_000 })
    .map(
      (cents) =>
        `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`,
    ),
  billingPeriod: fc.constantFrom(...billingPeriods),
});

/** How many of the period 7 years of 365 days have. */
const inSevenYears: Readonly<Record<BillingPeriod, bigint>> = {
  Daily: 2_555n,
  Weekly: 365n,
  Monthly: 84n,
  Quarterly: 28n,
  SemiAnnual: 14n,
  Yearly: 7n,
};

test('what is dearer per day costs more in 7 years, to the millionth', (t) => {
  const millionths = fc.bigInt({ min: 0n, max: 10n ** 14n });
  const side = fc.record({ millionths, period: fc.constantFrom(...billingPeriods) });
  // Beside any two prices those that differ by a millionth or not at all in 7 years.
  const near = fc.tuple(side, fc.constantFrom(...billingPeriods), fc.integer({ min: -1, max: 1 }));
  const pair = fc.oneof(
    fc.tuple(side, side),
    near.map(([left, period, more]) => {
      const cost = left.millionths * inSevenYears[left.period];
      const other = cost / inSevenYears[period] + BigInt(more);
      return [left, { period, millionths: other < 0n ? 0n : other }] as const;
    }),
  );
  const priceOf = ({
    millionths: amount,
    period,
  }: typeof side extends fc.Arbitrary<infer T> ? T : never) => price(formatDecimal(amount), period);
  const property = fc.property(pair, ([left, right]) => {
    const difference =
      left.millionths * inSevenYears[left.period] - right.millionths * inSevenYears[right.period];
    const expected = difference === 0n ? 0 : difference < 0n ? -1 : 1;
    return comparePerDay(priceOf(left), priceOf(right)) === expected;
  });
  t.notThrows(() => {
    fc.assert(property, { numRuns: 1_000 });
  });
});

test('prices per day have one order: antisymmetric and transitive', (t) => {
  const property = fc.property(anyPrice, anyPrice, anyPrice, (a, b, c) => {
    if (comparePerDay(a, b) + comparePerDay(b, a) !== 0) return false;
    const [low, mid, high] = [a, b, c].toSorted(comparePerDay);
    return low === undefined || mid === undefined || high === undefined
      ? false
      : comparePerDay(low, mid) <= 0 &&
          comparePerDay(mid, high) <= 0 &&
          comparePerDay(low, high) <= 0;
  });
  t.notThrows(() => {
    fc.assert(property, { numRuns: 300 });
  });
});

const fee: Charge = {
  id: 1,
  position: 1,
  priceCode: 'FEE',
  invoiceText: null,
  accountingCode: null,
  chargeType: 'RecurringCharge',
  pricingType: 'FixedPricing',
  isPrepaid: true,
  isProrated: true,
  isMandatory: true,
  isPenalty: false,
  isTax: false,
  isSeparateInvoice: false,
  followsQuantity: true,
  decimals: false,
  taxCodes: [],
  unitOfMeasure: null,
  standardQuantity: '1',
  minQuantity: null,
  maxQuantity: null,
  tiers: [
    {
      id: 1,
      unitsFrom: '0',
      unitsTo: null,
      price: '29.95',
      percent: null,
      isOverage: false,
      currency: 'USD',
    },
  ],
};

const percent: Charge = {
  ...fee,
  tiers: [
    {
      id: 2,
      unitsFrom: '0',
      unitsTo: null,
      price: null,
      percent: '10',
      isOverage: false,
      currency: 'USD',
    },
  ],
};

const line = (charge: Partial<Charge>, more: Partial<RecurringLine> = {}): RecurringLine => ({
  charge: { ...fee, ...charge },
  quantity: '1',
  unitPrice: null,
  isActive: true,
  ...more,
});

const lists: readonly (readonly [rule: string, lines: readonly RecurringLine[], costs: string])[] =
  [
    ['of its quantity', [line({}, { quantity: '2' })], '59.9'],
    ['of each line', [line({}), line({})], '59.9'],
    ['of no line', [], '0'],
    ['without what is billed once', [line({}), line({ chargeType: 'OneTimeCharge' })], '29.95'],
    ['without usage', [line({ chargeType: 'UsageCharge' })], '0'],
    ['without penalties', [line({}), line({ isPenalty: true })], '29.95'],
    ['without taxes', [line({}), line({ ...percent, isTax: true })], '29.95'],
    ['without what is inactive', [line({}, { isActive: false })], '0'],
    ['without a line that has ended', [line({}, { endsOn: '2027-01-31' })], '0'],
    ['with one that ends today', [line({}, { endsOn: '2027-02-01' })], '29.95'],
    ['with percentages of it, rounded', [line({}), line(percent)], '32.95'],
    ['of its own invoice', [line({}), line({ ...percent, isSeparateInvoice: true })], '29.95'],
    [
      'at an agreed price',
      [line({ pricingType: 'UserEnteredPricing', tiers: [] }, { unitPrice: '20' })],
      '20',
    ],
  ];

for (const [rule, lines, costs] of lists) {
  test(`a period costs the recurring charges ${rule}`, (t) => {
    t.is(recurringPrice(lines, { currency: 'USD', today: '2027-02-01' }), costs);
  });
}
