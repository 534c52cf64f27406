/** Card numbers in free text are masked, and nothing else is changed. */
import test from 'ava';
import {
  holdsCardNumber,
  maskCardNumbers,
  maskNumber,
} from '../../../domain/payments/card-masking.ts';
import { passesLuhn } from '../../../domain/payments/cards.ts';
import { fc } from '../../support/random.ts';

test('a card number in a text is replaced by its last digits', (t) => {
  const cases = [
    ['4111111111111111', '*****1111'],
    ['paid by 4111111111111111.', 'paid by *****1111.'],
    ['4111 1111 1111 1111, call back', '*****1111, call back'],
    ['card 4111-1111-1111-1111 and 5555 5555 5555 4444', 'card *****1111 and *****4444'],
    ['4111 - 1111 - 1111 - 1111', '*****1111'],
    ['4111\u00a01111\u20131111\u20111111', '*****1111'],
    ['4111.1111.1111.1111.', '*****1111.'],
    ['4111\u20091111\u20071111\u200b1111', '*****1111'],
    ['4111  1111  1111  1111', '*****1111'],
    ['amex 3782 822463 10005 exp 12/28', 'amex *****0005 exp 12/28'],
    ['CC:4111111111111111,exp', 'CC:*****1111,exp'],
    ['a4111111111111111b', 'a*****1111b'],
    ['*4111111111111111', '******1111'],
    // After an order's number, before the expiry.
    ['1001 4111 1111 1111 1111 12', '1001 *****1111 12'],
    ['4000000000000002 4000000000009995', '*****0002 *****9995'],
    // The shortest and the longest.
    ['4222222222222', '*****2222'],
    ['4222 2222 22222', '*****2222'],
    ['4000000000000000006', '*****0006'],
    // Two that overlap: the second begins in the third group of the first, or in its last.
    ['4000 0000 4000 0004 0000 0008', '*****0008'],
    ['4000 0000 0000 4004 0000 0000 0008', '*****0008'],
  ] as const;
  for (const [text, masked] of cases) {
    t.is(maskCardNumbers(text), masked);
    t.true(holdsCardNumber(text));
  }
});

test('text without a card number is unchanged', (t) => {
  const texts = [
    '',
    'order 1001, invoice 1002, 29.95 USD on 2027-02-28',
    '4111111111111112', // check digit
    '411111111111', // too short
    '9999999999999995', // no known brand
    '411111111111111111111111', // too long for a card number
    '+49 30 901820 and +1 (212) 555-0100 extension 4111',
    '2026-11-21 2026-11-22 2026-11-23',
    '1234 5678 9012 3456',
    '0b0e7a52-4111-4111-8111-111111111111',
    '4111\n1111\n1111\n1111', // a list of numbers
    '4111, 1111, 1111, 1111',
    '12.50 on 2027.01.31, 4.75 on 2027.02.28',
    '*****1111',
  ];
  for (const text of texts) {
    t.is(maskCardNumbers(text), text);
    t.false(holdsCardNumber(text));
  }
});

const visa = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 14, maxLength: 14 })
  .map((digits) => {
    const payload = `4${digits.join('')}`;
    const last = Array.from({ length: 10 }, (_, digit) => `${payload}${digit}`).find(passesLuhn);
    return last ?? '';
  });

test('a card number is masked however it is divided, and whatever is beside it', (t) => {
  const gap = fc.constantFrom('', ' ', '-', ' - ', '.', '\u00a0');
  const words = fc.constantFrom('', 'x', 'order 1001: ', '(', '12/28, ');
  const gaps = fc.array(gap, { minLength: 15, maxLength: 15 });
  fc.assert(
    fc.property(visa, gaps, words, words, (number, between, before, after) => {
      const written = number.split('').map((digit, at) => `${digit}${between[at] ?? ''}`);
      const end = after === '' ? '' : ` ; ${after}`;
      const text = `${before}${written.join('')}${end}`;
      const masked = maskCardNumbers(text);
      t.is(masked, `${before}*****${number.slice(-4)}${end}`);
    }),
    { numRuns: 300 },
  );
});

test('a known number is replaced by its last digits, however it is divided, and no other number is', (t) => {
  const cases = [
    ['account 000123456789', 'account *****6789'],
    ['000123456789, again 0001-2345 6789.', '*****6789, again *****6789.'],
    ['1000123456789 or 0001234567890', '1000123456789 or 0001234567890'],
    ['123456789', '123456789'],
  ] as const;
  for (const [text, masked] of cases) {
    t.is(maskNumber(text, '000123456789'), masked);
    t.is(maskNumber(text, '0001 2345-6789'), masked);
  }
  // The end may be shown.
  t.is(maskNumber('order 1001', '1001'), 'order 1001');
  t.is(maskNumber('account 12 345-67', '1234567'), 'account *****4567');
});

test('a text without thirteen digits is never changed', (t) => {
  const short = fc.string().filter((text) => text.replaceAll(/\D/g, '').length < 13);
  fc.assert(fc.property(short, (text) => t.is(maskCardNumbers(text), text)));
});
