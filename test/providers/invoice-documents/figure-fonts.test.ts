/** The fonts of the PDF have every sign of dates, figures and currencies in every locale. */
import test from 'ava';
import { formatsOf, localeOf } from '../../../domain/invoices/formats.ts';
import { isCurrency } from '../../../domain/money/money.ts';
import { chooseFonts } from '../../../providers/invoice-documents/pdf/fonts.ts';
import { isLong } from '../../support/random.ts';

const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(97 + at));
const longer =
  'bas ccp chr ckb dje fil gsw haw hsb kok mai mni nqo sat shi syr tzm vai yue zgh'.split(' ');
const languages = [
  ...letters.flatMap((first) => letters.map((second) => first + second)),
  ...longer,
];

/** The usual locale of each language that is known, and each in countries with digits of their own. */
const locales = new Set(
  languages.flatMap((language) => {
    const { region } = new Intl.Locale(language).maximize();
    if (region === undefined || Intl.NumberFormat.supportedLocalesOf(language).length === 0) {
      return [];
    }
    const countries = isLong ? [region, 'IN', 'EG', 'DE'] : [region];
    return countries.map((country) => localeOf(`${language}_${country}`, null));
  }),
);

const currencies = isLong
  ? Intl.supportedValuesOf('currency').filter(isCurrency)
  : ['USD', 'EUR', 'INR', 'BDT', 'GEL', 'AMD', 'KZT', 'ILS', 'NGN'];

const months = Array.from({ length: 12 }, (_, month) => String(month + 1).padStart(2, '0'));

function figuresOf(locale: string, currency: string): string {
  const formats = formatsOf(locale, currency);
  const amount = formats.amount('-1234567890');
  if (currency !== currencies[0]) return amount;
  return [
    amount,
    formats.percent('12.5'),
    formats.number('-1234567.5'),
    formats.period('2027-01-15', '2027-02-14'),
    ...months.map((month) => formats.date(`2027-${month}-28`)),
  ].join(' ');
}

test('what the fonts lack gives way: dates, figures and currencies of every locale can be drawn', async (t) => {
  t.true(locales.size > 150);
  const used = new Map<number, string>();
  for (const locale of locales) {
    for (const currency of currencies) {
      const text = figuresOf(locale, currency).normalize('NFC');
      for (const character of text) {
        const codePoint = character.codePointAt(0) ?? 0;
        if (!used.has(codePoint)) used.set(codePoint, `${character} of ${currency} in ${locale}`);
      }
    }
  }
  // A space of another width stands for it.
  used.delete(0x202f);
  const { isPrintable } = await chooseFonts(used.keys(), 'sc');
  const lacking = [...used].flatMap(([codePoint, where]) =>
    isPrintable(codePoint) ? [] : [where],
  );
  t.deepEqual(lacking, []);
});
