/** Which codes are those of countries. */
import test from 'ava';
import { isCountry } from '../../../domain/customers/postal-address.ts';

test('the codes of ISO 3166-1 are those of countries; reserved ones and other texts are not', (t) => {
  for (const code of ['US', 'GB', 'DE', 'AX', 'ZW', 'TL']) t.true(isCountry(code), code);
  const others = ['UK', 'EU', 'ZZ', 'XX', 'SU', 'UN', 'us', 'USA', 'U', ''];
  for (const code of others) t.false(isCountry(code), code);
});

test('every country of the list has a name', (t) => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  const codes = letters.flatMap((a) => letters.map((b) => a + b)).filter(isCountry);
  t.is(codes.length, 249);
  t.deepEqual(
    codes.filter((code) => names.of(code) === undefined),
    [],
  );
});
