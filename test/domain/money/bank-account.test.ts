/** Numbers of bank accounts are those that their check digits allow. */
import test from 'ava';
import { bicFrom, ibanFrom, shownIban } from '../../../domain/money/bank-account.ts';
import { fc } from '../../support/random.ts';

const ibans = [
  'DE89 3704 0044 0532 0130 00',
  'GB29 NWBK 6016 1331 9268 19',
  'NO93 8601 1117 947',
  'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
];

for (const iban of ibans) {
  test(`${iban} is an IBAN, with any blanks and small letters, and is shown so`, (t) => {
    const compact = iban.replaceAll(' ', '');
    t.is(ibanFrom(iban), compact);
    t.is(ibanFrom(compact.toLowerCase().replace('0', ' 0 ')), compact);
    t.is(shownIban(compact), iban);
  });
}

test('an IBAN with one wrong digit, or two exchanged ones, is none', (t) => {
  const iban = 'DE89370400440532013000';
  const place = fc.integer({ min: 2, max: iban.length - 1 });
  fc.assert(
    fc.property(place, fc.integer({ min: 1, max: 9 }), (at, by) => {
      const digit = (Number(iban[at]) + by) % 10;
      return ibanFrom(iban.slice(0, at) + digit + iban.slice(at + 1)) === undefined;
    }),
  );
  t.is(ibanFrom('DE89370400440523013000'), undefined);
});

test('what is too short, too long or without check digits is no IBAN', (t) => {
  for (const text of ['', 'DE89', 'DEXX370400440532013000', `DE89${'0'.repeat(31)}`, 'DE89-3704']) {
    t.is(ibanFrom(text), undefined, text);
  }
});

test('a BIC has 8 letters and digits, or 11 with a branch', (t) => {
  t.is(bicFrom('COBADEFF'), 'COBADEFF');
  t.is(bicFrom('coba de ff xxx'), 'COBADEFFXXX');
  for (const text of ['', 'COBADEF', 'COBADEFFX', 'COBA1EFF', 'COBADEFFXXXX']) {
    t.is(bicFrom(text), undefined, text);
  }
});
