/** Money is exact: only a charge's amount is rounded, once. */
import test from 'ava';
import {
  add,
  compare,
  formatAmount,
  formatDecimal,
  isCurrency,
  isDecimal,
  minorDigits,
  negate,
  parseDecimal,
  roundedAmount,
  signOf,
  sum,
} from '../../../domain/money/money.ts';
import { fc } from '../../support/random.ts';

test('a decimal has at most 12 digits before the point and 6 after it, and an optional sign', (t) => {
  const decimals = [
    '0',
    '-0.5',
    '+7',
    '007',
    '29.950000',
    '000000000000012.5',
    '999999999999.999999',
  ];
  for (const text of decimals) t.true(isDecimal(text), text);
  const others = [
    '',
    '-',
    '.5',
    '5.',
    '1e3',
    '0x1A',
    '1,5',
    'NaN',
    ' 1',
    '1\n',
    '--1',
    '1.1234567',
  ];
  for (const text of [...others, '1000000000000', '١']) t.false(isDecimal(text), text);
});

test('decimals are read and written exactly, without trailing zeros', (t) => {
  const cases = [
    ['29.950000', 29_950_000n, '29.95'],
    ['-0.5', -500_000n, '-0.5'],
    ['100', 100_000_000n, '100'],
    ['-0', 0n, '0'],
    ['0.000001', 1n, '0.000001'],
    ['-12.000001', -12_000_001n, '-12.000001'],
  ] as const;
  for (const [text, millionths, written] of cases) {
    t.is(parseDecimal(text), millionths);
    t.is(formatDecimal(millionths), written);
  }
  t.throws(() => parseDecimal('1e3'), { message: /not a decimal/ });
});

test('sums, differences and comparisons are exact where binary numbers are not', (t) => {
  t.is(sum(['0.1', '0.2']), '0.3');
  t.is(sum([]), '0');
  t.is(add('29.95', '-0.95'), '29');
  t.is(negate('29.95'), '-29.95');
  t.is(negate('0'), '0');
  t.is(compare('9.5', '10.00'), -1);
  t.is(compare('10', '10.000000'), 0);
  t.is(compare('-1', '-2'), 1);
});

test('an amount is rounded once, half away from zero, to the minor unit of its currency', (t) => {
  const cases = [
    // price, quantity, days, of, currency, amount
    ['29.95', '1', 31, 31, 'USD', '29.95'],
    ['29.95', '1', 17, 31, 'USD', '16.42'], // 16.4241..
    ['10', '1', 1, 3, 'USD', '3.33'],
    ['10', '1', 2, 3, 'USD', '6.67'],
    ['0.005', '1', 1, 1, 'USD', '0.01'],
    ['-0.005', '1', 1, 1, 'USD', '-0.01'],
    ['0.004999', '1', 1, 1, 'USD', '0.00'],
    ['-0.004', '1', 1, 1, 'USD', '0.00'],
    ['0.333333', '3', 1, 1, 'USD', '1.00'],
    ['2.5', '1.5', 1, 1, 'USD', '3.75'],
    ['100', '1', 1, 8, 'JPY', '13'], // 12.5
    ['1.2345', '1', 1, 1, 'KWD', '1.235'], // 1.2345
    ['1.23445', '1', 1, 1, 'CLF', '1.2345'],
    ['7', '0', 1, 1, 'USD', '0.00'],
  ] as const;
  for (const [price, quantity, numerator, denominator, currency, amount] of cases) {
    t.is(roundedAmount({ price, quantity, numerator, denominator, currency }), amount);
  }
});

test('an amount is shown with exactly the decimals of its currency', (t) => {
  t.is(formatAmount('USD', '29.95'), '29.95');
  t.is(formatAmount('USD', '30'), '30.00');
  t.is(formatAmount('JPY', '30.00'), '30');
  t.is(formatAmount('BHD', '-0.0005'), '-0.001');
  t.is(formatAmount('EUR', '0.005'), '0.01');
});

test('currencies are those of ISO 4217, with their minor units', (t) => {
  t.deepEqual(['JPY', 'USD', 'KWD', 'CLF'].map(minorDigits), [0, 2, 3, 4]);
  for (const code of ['usd', 'XXX', 'EURO', '', 'DEM']) t.false(isCurrency(code), code);
  // The engine's own table contains them too, besides historic ones.
  const known = new Set(Intl.supportedValuesOf('currency'));
  for (const code of ['EUR', 'CHF', 'XCG', 'ZWG', 'SLE'])
    t.true(isCurrency(code) && known.has(code));
  t.throws(() => minorDigits('DEM'), { message: /not a currency/ });
});

const millionths = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

test('a decimal that is written is read as the same value, and order and sums match the numbers', (t) => {
  fc.assert(
    fc.property(millionths, millionths, (a, b) => {
      const [left, right] = [formatDecimal(a), formatDecimal(b)];
      t.is(parseDecimal(left), a);
      t.is(parseDecimal(add(left, right)), a + b);
      t.is(compare(left, right), a < b ? -1 : a > b ? 1 : 0);
      t.true(isDecimal(left));
    }),
    { numRuns: 100 },
  );
});

test('a rounded amount differs by at most half a cent from the exact one', (t) => {
  const days = fc.integer({ min: 0, max: 366 });
  fc.assert(
    fc.property(millionths, millionths, days, (price, quantity, numerator) => {
      const amount = roundedAmount({
        price: formatDecimal(price),
        quantity: formatDecimal(quantity),
        numerator,
        denominator: 366,
        currency: 'USD',
      });
      // In units of 1e-12 x 1/366, in which nothing is rounded.
      const exact = price * quantity * BigInt(numerator);
      const off = parseDecimal(amount) * 1_000_000n * 366n - exact;
      t.true((off < 0n ? -off : off) * 2n <= 366n * 10n ** 10n);
    }),
    { numRuns: 100 },
  );
});

for (const [decimal, sign] of [
  ['-0.01', -1],
  ['-0.00', 0],
  ['0', 0],
  ['+0.000', 0],
  ['+1', 1],
  ['0.000001', 1],
] as const) {
  test(`the sign of ${decimal} is ${sign}`, (t) => {
    t.is(signOf(decimal), sign);
  });
}
