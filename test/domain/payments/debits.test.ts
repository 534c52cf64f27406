/** What the number of an account tells, what can be entered in a currency, and the day of a debit. */
import test from 'ava';
import {
  debitDay,
  enteredIn,
  ibanCharacters,
  ibanCountry,
  isSepaIban,
} from '../../../domain/payments/debits.ts';
import { methodContext } from '../../../domain/payments/allocation.ts';
import { fc } from '../../support/random.ts';

/** Those of the IBAN registry, and of the sandbox. */
const ibans = [
  'DE89370400440532013000',
  'DE62370400440532013001',
  'DE35370400440532013002',
  'AT611904300234573201',
  'BE68539007547034',
  'CH9300762011623852957',
  'ES9121000418450200051332',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'IT60X0542811101000000123456',
  'MT84MALT011000012345MTLCAST001S',
  'NL91ABNA0417164300',
  'NO9386011117947',
];

const wrong = [
  ['wrong check digits', 'DE88370400440532013000'],
  ['a digit too few', 'DE8937040044053201300'],
  ['a digit too many', 'DE893704004405320130000'],
  ['a country outside of SEPA', 'BR1800360305000010009795493C1'],
  ['no country', '89370400440532013000'],
  ['nothing', ''],
  ['blanks', 'DE89 3704 0044 0532 0130 00'],
] as const;

test('an IBAN of a country of SEPA has its length and right check digits', (t) => {
  for (const iban of ibans) t.true(isSepaIban(iban), iban);
  for (const [why, text] of wrong) t.false(isSepaIban(text), why);
});

test('a digit that is changed is found', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ibans),
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      (iban, at, by) => {
        const places = Array.from(iban).flatMap((each, place) => (/\d/.test(each) ? [place] : []));
        const place = places[at % places.length] ?? 2;
        const digit = String((Number(iban[place]) + by) % 10);
        t.false(isSepaIban(iban.slice(0, place) + digit + iban.slice(place + 1)));
      },
    ),
  );
});

test('an IBAN is read as people write it', (t) => {
  t.is(ibanCharacters('de89 3704 0044 0532 0130 00'), 'DE89370400440532013000');
  t.is(ibanCharacters('DE89-3704'), 'DE893704');
  t.is(ibanCharacters('DE89  37'), null);
  t.is(ibanCharacters('DE89/37'), null);
  t.is(ibanCountry('DE89370400440532013000'), 'DE');
});

test('debits are entered in their own currency only, and a card where nothing else is left', (t) => {
  t.deepEqual(enteredIn('EUR', ['card', 'sepa', 'usBankAccount']), ['card', 'sepa']);
  t.deepEqual(enteredIn('USD', ['card', 'sepa', 'usBankAccount']), ['card', 'usBankAccount']);
  t.deepEqual(enteredIn('USD', ['sepa']), ['card']);
});

test('a debit comes so many days after its announcement, and never before the day of autopay', (t) => {
  const of = (autopayOn: string, today: string) => debitDay({ autopayOn, today, noticeDays: 2 });
  t.is(of('2027-03-01', '2027-03-01'), '2027-03-03');
  t.is(of('2027-03-15', '2027-03-13'), '2027-03-15');
  t.is(of('2027-03-15', '2027-03-14'), '2027-03-16');
  t.is(of('2027-02-01', '2027-02-27'), '2027-03-01');
});

test('an account is shown by its country and the end of its number', (t) => {
  const none = { brand: null, type: 'Token' } as const;
  const sepa = { ...none, debit: 'sepa', country: 'DE', lastFour: '3000' } as const;
  t.is(methodContext(sepa), 'SEPA - DE**...3000');
  t.is(methodContext({ ...none, debit: 'usBankAccount', lastFour: '6789' }), 'ACH - *****6789');
});
