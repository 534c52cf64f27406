/** The quantities that people type, as their page writes numbers. */
import test from 'ava';
import { readQuantity, writtenQuantity } from '../../../api/pages/quantity.ts';
import { fc } from '../../support/random.ts';

/** What is typed on a page, and what it is; null is refused. */
const typed: readonly (readonly [locale: string, text: string, quantity: string | null])[] = [
  ['en-US', '1', '1'],
  ['en-US', ' 02 ', '2'],
  ['en-US', '1000', '1000'],
  ['en-US', '1,000', '1000'],
  ['en-US', '1.000', null],
  ['en-US', '0.001', '0.001'],
  ['en-US', '0.000001', '0.000001'],
  ['en-US', '1.5', '1.5'],
  ['en-US', '1.50', '1.5'],
  ['en-US', '1,234.5', '1234.5'],
  ['en-US', '1.0', null],
  ['en-US', '1.0000001', null],
  ['en-US', '1.5.5', null],
  ['en-US', '.5', null],
  ['en-US', '1.', null],
  ['en-US', '1,5', null],
  ['en-US', '10,00', null],
  ['en-US', '0', null],
  ['en-US', '-1', null],
  ['en-US', '+1', null],
  ['en-US', '1e3', null],
  ['en-US', '', null],
  ['en-US', '1234567890123', null],
  ['de-DE', '1.000', '1000'],
  ['de-DE', '1.234.567', '1234567'],
  ['de-DE', '1,000', null],
  ['de-DE', '2,5', '2.5'],
  ['de-DE', '1.234,5', '1234.5'],
  ['de-DE', '2.5', null],
  ['de-CH', '1’000', '1000'],
  ['de-CH', "1'000", '1000'],
  ['fr-FR', '1 000', '1000'],
  ['fr-FR', '1\u202F000', '1000'],
  ['fr-FR', '1.000', null],
  ['es-ES', '10.000', '10000'],
  ['es-ES', '1.000', '1000'],
  ['en-IN', '12,34,567', '1234567'],
  ['de-AT', '1.000', '1000'],
  // The figures of English, as its amounts have them.
  ['en-DE', '1,000', '1000'],
  ['en-DE', '1.000', null],
  ['ja-JP', '1,000', '1000'],
];

for (const [index, [locale, text, quantity]] of typed.entries()) {
  // AVA takes some blanks for others.
  test(`${locale}: ${JSON.stringify(text)} is ${quantity ?? 'refused'} (${index + 1})`, (t) => {
    t.is(readQuantity(text, locale), quantity);
  });
}

test('each page reads what it writes', (t) => {
  const locales = 'en-US en-IN en-DE en-ZA de-DE de-AT de-CH fr-FR fr-CH es-ES es-MX ar-EG'.split(
    ' ',
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...locales),
      fc.integer({ min: 1, max: 999_999_999_999 }),
      fc.constantFrom('', '.5', '.25', '.000001'),
      (locale, whole, fraction) => {
        const quantity = `${whole}${fraction}`;
        const text = writtenQuantity(quantity, locale);
        t.is(readQuantity(text, locale), quantity, `${locale} ${text}`);
      },
    ),
  );
});
