/**
 * What the numbers of cards and accounts tell about them. The numbers are the networks' test
 * numbers.
 */
import test from 'ava';
import {
  cardBrand,
  cardDigits,
  isAbaRoutingNumber,
  isAccountNumber,
  isCardNumber,
  isExpired,
  isSecurityCode,
  lastFour,
  passesLuhn,
} from '../../../domain/payments/cards.ts';
import { fc } from '../../support/random.ts';

const numbers = [
  ['4111111111111111', 'Visa'],
  ['4222222222222', 'Visa'],
  ['4000000000000002', 'Visa'],
  ['5555555555554444', 'MasterCard'],
  ['5105105105105100', 'MasterCard'],
  ['2221000000000009', 'MasterCard'],
  ['2720990000000007', 'MasterCard'],
  ['378282246310005', 'American Express'],
  ['341111111111111', 'American Express'],
  ['6011111111111117', 'Discover'],
  ['6445644564456445', 'Discover'],
  ['6221260000000000', 'Discover'],
  ['6500000000000002', 'Discover'],
  ['30569309025904', 'Diners Club'],
  ['36227206271667', 'Diners Club'],
  ['3530111333300000', 'JCB'],
  ['6200000000000005', 'UnionPay'],
  ['6205500000000000004', 'UnionPay'],
  ['6759649826438453', 'Maestro'],
] as const;

test('a number has the brand of its range, and is a card number if its check digit is right', (t) => {
  for (const [number, brand] of numbers) {
    t.is(cardBrand(number), brand, number);
    t.true(isCardNumber(number), number);
  }
});

test('numbers beside the ranges have no brand', (t) => {
  // 2220 and 2721 limit MasterCard's newer range, 56 its older one; 643 and 306 are next to others.
  const others = ['2220990000000000', '2721000000000000', '9000000000000001', '0000000000000000'];
  for (const number of [...others, '30600000000000']) t.is(cardBrand(number), null, number);
  // A Visa number with 15 digits has no brand either.
  t.is(cardBrand('411111111111111'), null);
  t.is(cardBrand(''), null);
});

/** Of each brand the first and the last prefix of a range, and what is beside it. */
const prefixes = [
  ['American Express', 15, '34 37', '33 35'],
  ['MasterCard', 16, '51 55 2221 2720', '2220 2721 56'],
  ['Discover', 16, '6011 622126 622925 644 649 65', '6010 6012 643'],
  ['Discover', 19, '6011', ''],
  ['UnionPay', 16, '62 622125 622926 81', '61 80 82'],
  ['UnionPay', 17, '62', ''],
  ['UnionPay', 18, '62', ''],
  ['UnionPay', 19, '62', '68'],
  ['UnionPay', 15, '', '62'],
  ['Diners Club', 14, '300 305 3095 36 38 39', '299 306 3094 3096 37 40'],
  ['Diners Club', 15, '36', ''],
  ['Diners Club', 16, '36', ''],
  ['Diners Club', 19, '36', ''],
  ['Diners Club', 13, '', '36'],
  ['JCB', 16, '3528 3589', '3527 3590'],
  [
    'Maestro',
    16,
    '5018 5020 5038 5893 6304 6759 6761 6763',
    '5017 5019 5021 5037 5039 5892 5894 6303 6305 6758 6760 6764',
  ],
  ['Maestro', 13, '5018', ''],
  ['Maestro', 14, '5018', ''],
  ['Maestro', 15, '5018', ''],
  ['Maestro', 19, '5018', ''],
  ['Maestro', 12, '', '5018'],
] as const;

test('a range of a brand ends with its last prefix, and a brand has its own lengths', (t) => {
  for (const [brand, length, inside, beside] of prefixes) {
    const brands = (text: string) =>
      text.split(' ').map((prefix) => prefix && cardBrand(prefix.padEnd(length, '0')));
    t.true(
      brands(inside).every((each) => each === '' || each === brand),
      `${brand} ${length}`,
    );
    t.false(brands(beside).includes(brand), `${brand} ${length}`);
  }
});

test('a card number has 13 to 19 digits, as many as its brand, and a right check digit', (t) => {
  const wrong = [
    '4111111111111112', // check digit
    '411111111111', // 12 digits
    '900000000001', // 12 digits, of no known brand
    '41111111111111110', // 17: Visa has none
    '37828224631000', // American Express has 15
    '4111 1111 1111 1111', // not only digits
    '411111111111111a',
    '',
    '٤١١١١١١١١١١١١١١١',
  ];
  for (const number of wrong) t.false(isCardNumber(number), number);
  // The gateway checks a range that is not known here.
  t.true(isCardNumber('9999999999999995'));
  t.is(cardBrand('9999999999999995'), null);
});

test('blanks and dashes between the digits of a card number are ignored', (t) => {
  t.is(cardDigits('4111 1111-1111 1111'), '4111111111111111');
  t.is(cardDigits('4111111111111111'), '4111111111111111');
  for (const text of ['', ' 4111', '4111-', '41  11', '4111_1111', '4111.1111']) {
    t.is(cardDigits(text), null, text);
  }
});

test('a card is valid until the end of its expiry month', (t) => {
  const cases = [
    // expiry, today, expired
    ['2027-02-01', '2027-02-28', false],
    ['2027-02-28', '2027-02-28', false],
    ['2027-02-01', '2027-03-01', true],
    ['2027-12-31', '2028-01-01', true],
    ['2028-01-01', '2027-12-31', false],
  ] as const;
  for (const [expiry, today, expired] of cases) t.is(isExpired(expiry, today), expired, expiry);
});

test('a security code has three digits, four on an American Express', (t) => {
  t.true(isSecurityCode('123', '4111111111111111'));
  t.false(isSecurityCode('1234', '4111111111111111'));
  t.true(isSecurityCode('1234', '378282246310005'));
  t.false(isSecurityCode('123', '378282246310005'));
  t.true(isSecurityCode('123', '9999999999999995'));
  t.true(isSecurityCode('1234', '9999999999999995'));
  const ofThree = ['5555555555554444', '6011111111111117', '36227206271667', '3530111333300000'];
  for (const number of [...ofThree, '6200000000000005', '8100000000000006', '6759649826438453']) {
    t.true(isSecurityCode('123', number), number);
    t.false(isSecurityCode('1234', number), number);
  }
  // So few digits are of no brand yet, though 27 lies between 2221 and 2720 as a text.
  t.true(isSecurityCode('1234', '27'));
  for (const code of ['', '12', '12345', '12a', ' 123']) {
    t.false(isSecurityCode(code, '4111111111111111'), code);
  }
});

test('a routing number has nine digits of a range in use and the weighted sum of the ABA', (t) => {
  // Federal Reserve Bank of Boston, JPMorgan Chase in New York, Wells Fargo, Stripe's test bank,
  // the Treasury, a traveller's cheque.
  const right = ['011000015', '021000021', '121000248', '110000000', '000000518', '800000006'];
  for (const number of right) t.true(isAbaRoutingNumber(number), number);
  const wrong = [
    '021000022', // wrong sum
    '000000000', // unassigned
    '130000006', // a range not in use
    '02100002',
    '0210000210',
    '02100002a',
    '',
  ];
  for (const number of wrong) t.false(isAbaRoutingNumber(number), number);
});

test('the ranges of routing numbers are 00 to 12, 21 to 32, 61 to 72, and 80', (t) => {
  // The first and the last of each range, with a right sum: 3 x 1 + 7 x 2 + 3 of 12.
  const first = ['120000003', '210000007', '320000007', '610000005', '720000005', '800000006'];
  for (const number of first) t.true(isAbaRoutingNumber(number), number);
  const beside = ['130000006', '200000004', '330000000', '600000002', '730000008', '790000006'];
  for (const number of [...beside, '810000009']) t.false(isAbaRoutingNumber(number), number);
});

test('an account number is 4 to 17 digits', (t) => {
  for (const number of ['0001', '000111111116', '12345678901234567'])
    t.true(isAccountNumber(number));
  for (const number of ['', '123', '123456789012345678', '12 34', '12a4', '-1234']) {
    t.false(isAccountNumber(number), number);
  }
});

test('only the last digits of a number are shown', (t) => {
  t.is(lastFour('4111111111111111'), '1111');
  t.is(lastFour('0001'), '0001');
});

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });

test('of ten last digits exactly one is the check digit', (t) => {
  t.false(passesLuhn(''));
  fc.assert(
    fc.property(fc.integer({ min: 12, max: 18 }).chain(digits), (payload) => {
      const passing = Array.from({ length: 10 }, (_, last) => `${payload.join('')}${last}`);
      t.is(passing.filter(passesLuhn).length, 1);
    }),
    { numRuns: 200 },
  );
});

test('one wrong digit is always detected, in a card number and in a routing number', (t) => {
  const change = fc.tuple(fc.nat(15), fc.integer({ min: 1, max: 9 }));
  const changed = (number: string, place: number, by: number) => {
    const digit = (Number(number[place]) + by) % 10;
    return `${number.slice(0, place)}${digit}${number.slice(place + 1)}`;
  };
  fc.assert(
    fc.property(change, ([place, by]) => {
      t.false(passesLuhn(changed('4111111111111111', place, by)));
      t.false(isAbaRoutingNumber(changed('021000021', place % 9, by)));
    }),
    { numRuns: 200 },
  );
});
