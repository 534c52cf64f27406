/**
 * Every locale of the runtime: what a document formats is drawn by the fonts of its PDF, for all
 * currencies and countries. Currencies whose own sign they lack have their ISO code.
 */
import test from 'ava';
import { formatsOf, localeOf } from '../../../domain/invoices/formats.ts';
import { isCurrency } from '../../../domain/money/money.ts';
import { chooseFonts } from '../../../providers/invoice-documents/pdf/fonts.ts';
import { printable } from '../../../providers/invoice-documents/pdf/typesetter.ts';

const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
const pairs = letters.flatMap((first) => letters.map((second) => first + second));
const triples = pairs.flatMap((pair) => letters.map((last) => pair + last));
const languages = Intl.NumberFormat.supportedLocalesOf([...pairs, ...triples]);
/** The other fonts print names: their scripts are for people who write them. */
const figureFonts = /^noto-sans(-(arabic|hebrew|thai|sc|tc|jp|kr))?\//;
const currencies = Intl.supportedValuesOf('currency').filter(isCurrency);
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const countries = pairs
  .map((pair) => pair.toUpperCase())
  .filter((code) => regions.of(code) !== undefined);
const scripts = new Set(languages.map((each) => new Intl.Locale(each).maximize().script ?? ''));

/** The locales that have formats of their own; the formats of all others are one of theirs. */
function* locales(): Generator<string> {
  for (const language of languages) {
    yield language;
    for (const part of [...countries, ...scripts]) {
      const tag = new Intl.Locale(language).language + `-${part}`;
      if (new Intl.NumberFormat(tag).resolvedOptions().locale === tag) yield tag;
    }
  }
}

const months = Array.from({ length: 12 }, (_, at) => `2027-${String(at + 1).padStart(2, '0')}-28`);

/** Whatever the currency, the figures are alike; one format for each sign is enough. */
const signs = new Set<string>();

function* amountsOf(locale: string): Generator<string> {
  for (const currency of currencies) {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
    const sign = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? '';
    if (signs.has(sign)) continue;
    signs.add(sign);
    const { amount, price } = formatsOf(locale, currency);
    yield amount('-1234567890.5');
    yield price('1234567890.123456');
  }
}

function* textsOf(locale: string): Generator<string> {
  const { date, period, amount, price, number, percent, country } = formatsOf(locale, 'USD');
  for (const month of months) {
    yield date(month);
    yield period(month, month);
  }
  yield period('2026-12-15', '2027-01-14');
  yield period('2027-09-01', '2027-09-30');
  yield amount('-1234567890.5');
  yield price('1234567890.123456');
  yield number('-1234567890.5');
  yield percent('-8.875');
  // Of tones that no font has, documents print the letters.
  for (const code of countries) yield country(code).normalize('NFC').replaceAll(/\p{M}/gu, '');
}

test('every date, amount, percentage and country of every locale is drawn by the fonts', async (t) => {
  const seen = new Map<string, string>();
  const see = (text: string, locale: string) => {
    for (const character of printable(text)) {
      if (!seen.has(character)) seen.set(character, `${locale}: ${text}`);
    }
  };
  const resolved = new Set([...locales()].map((each) => localeOf(each, null)));
  t.true(resolved.size > 400, `${resolved.size} locales`);
  for (const locale of resolved) for (const text of textsOf(locale)) see(text, locale);
  const general = new Set(languages.map((each) => localeOf(each, null)));
  for (const locale of general) for (const text of amountsOf(locale)) see(text, locale);
  t.true(signs.size > 200, `${signs.size} signs of currencies`);
  const choice = await chooseFonts(
    Array.from(seen.keys(), (character) => character.codePointAt(0) ?? 0),
    'sc',
  );
  // Characters for the direction of a text print nothing.
  const lacking = [...seen].filter(
    ([each]) => !/\p{Cf}/u.test(each) && !choice.isPrintable(each.codePointAt(0) ?? 0),
  );
  t.deepEqual(lacking, []);
  t.deepEqual(
    choice.fonts.filter(({ id }) => !figureFonts.test(id)).map(({ id }) => id),
    [],
  );
});
