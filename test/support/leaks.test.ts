/** Tests the search for secrets itself, because nobody would notice what it misses. */
import { createHash } from 'node:crypto';
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
    // The output of sha256sum.
    '19ff47cc8024c133d5845d3f8938caca289929031e7d508c3adf7adff177f0c2',
  ]) {
    t.deepEqual(leaks(text), ['*****1117'], text);
  }
});

test('a number is found in base64, at any position of the text', (t) => {
  for (const before of ['', 'a', 'ab', 'abc', '<cardNumber>']) {
    const encoded = Buffer.from(`${before}${NUMBER}</cardNumber>`).toString('base64');
    t.deepEqual(leaks(encoded), ['*****1117'], before);
  }
});

/** As plain text, and in every known encoding. */
const encodings = (text: string): string[] => [
  text,
  ...(['base64', 'base64url', 'hex'] as const).map((each) => Buffer.from(text).toString(each)),
];

test('a security code is found as a separate field, however it is escaped and encoded', (t) => {
  for (const field of [
    '<code>7391</code>',
    '<a code="7391"/>',
    '{"code":"7391"}',
    `code='7391'`,
    JSON.stringify(JSON.stringify({ body: '<a code="7391"/>' })),
    JSON.stringify({ body: JSON.stringify({ code: '7391' }) }),
    String.raw`{"body":"\u003ccode\u003e7391\u003c/code\u003e"}`,
    '&lt;code&gt;7391&lt;/code&gt;',
    '&amp;quot;7391&amp;quot;',
    encodeURIComponent('<code>7391</code>'),
    encodeURIComponent(encodeURIComponent('"7391"')),
    createHash('sha256').update('7391').digest('hex'),
    createHash('sha256').update('7391').digest('base64'),
  ]) {
    for (const text of encodings(field)) t.deepEqual(leaks(text), ['*****7391'], text);
  }
});

test('in a field for security codes any code of three or four digits is found, known or not', (t) => {
  for (const field of [
    '<cvv>805</cvv>',
    '{"cvv":805}',
    '{"cvv": "805"}',
    JSON.stringify({ body: '{"cvc":805}' }),
    'cvv=805&cardholderName=Ada',
    encodeURIComponent('cvv2=805'),
    'cvv: 805\nexpiry: 2029',
    'securityCode: 805',
    "security_code = '805'",
  ]) {
    for (const text of encodings(field)) t.deepEqual(leaks(text), ['*****805'], text);
  }
  t.deepEqual(leaks('<cvv>8052</cvv>'), ['*****8052']);
});

test('numbers in other fields are not reported: processes, ports, lengths, parts of other numbers', (t) => {
  for (const text of [
    'id 17391, 7391 ms, Discover - *****1117, 601111',
    '{"pid":7391,"port":7391,"length": 7391}',
    '127.0.0.1:7391',
    'pid=7391 port=7391',
    '7391@host',
    '<id>17391</id><id>73910</id>',
    '{"cvvCode":"M","cvv":null,"cvvChecks":17391}',
    '<cvv>***</cvv>',
    '<cvv>73910</cvv>',
    'cvv must have 3 or 4 digits',
  ]) {
    for (const each of encodings(text)) t.deepEqual(leaks(each), [], each);
  }
  // A process with that number, as the engine encodes it: not a separate field.
  for (const before of ['', 'a', 'ab'])
    t.deepEqual(leaks(Buffer.from(`${before}7391@host`).toString('base64')), [], before);
});

test('the search knows the numbers that the tests send', (t) => {
  const { numbers } = secretsOfTests();
  for (const number of ['4111111111111111', '4000000000000002', NUMBER, '000123456789']) {
    t.true(numbers.includes(number), number.slice(-4));
  }
});
