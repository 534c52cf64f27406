/** The search for secrets itself: what it did not find would not be missed by anybody. */
import test from 'ava';
import { leaksIn, secretsOfTests } from './leaks.ts';

const NUMBER = '6011111111111117';
const secrets = { numbers: [NUMBER], codes: ['7391'] };
const leaks = (text: string): string[] => leaksIn(text, secrets);

test('a number is found in clear, in groups, in hexadecimal, and hashed without a key', (t) => {
  for (const text of [
    `paid by ${NUMBER}.`,
    '6011 1111 1111 1117',
    '6011-1111-1111-1117',
    '36303131313131313131313131313137',
    // sha256sum's own words for it.
    '19ff47cc8024c133d5845d3f8938caca289929031e7d508c3adf7adff177f0c2',
  ]) {
    t.deepEqual(leaks(text), ['*****1117'], text);
  }
});

test('a number is found in base64, wherever in the text it stands', (t) => {
  for (const before of ['', 'a', 'ab', 'abc', '<cardNumber>']) {
    const encoded = Buffer.from(`${before}${NUMBER}</cardNumber>`).toString('base64');
    t.deepEqual(leaks(encoded), ['*****1117'], before);
  }
});

test('a security code is found as a field of its own, and not within other words', (t) => {
  for (const text of ['<cvv>7391</cvv>', '{"cvv":"7391"}', `cvv='7391'`]) {
    t.deepEqual(leaks(text), ['*****7391'], text);
    t.deepEqual(leaks(Buffer.from(text).toString('base64')), ['*****7391'], text);
    t.deepEqual(leaks(Buffer.from(text).toString('hex')), ['*****7391'], text);
  }
  // A process of that number, as the engine encodes it: no field of its own.
  for (const before of ['', 'a', 'ab'])
    t.deepEqual(leaks(Buffer.from(`${before}7391@host`).toString('base64')), [], before);
  t.deepEqual(leaks('id 17391, 7391 ms, Discover - *****1117, 601111'), []);
});

test('the numbers that the tests send are known', (t) => {
  const { numbers } = secretsOfTests();
  for (const number of ['4111111111111111', '4000000000000002', NUMBER, '000123456789']) {
    t.true(numbers.includes(number), number.slice(-4));
  }
});
