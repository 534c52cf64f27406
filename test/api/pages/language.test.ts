/** Which language a page has, by what a browser prefers. */
import test from 'ava';
import { acceptedLocale, figuresLocaleOf, keptLocale } from '../../../api/pages/language.ts';
import { languageOf } from '../../../domain/text/language.ts';

const headers: readonly (readonly [header: string | undefined, locale: string])[] = [
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['de-AT', 'de_AT'],
  ['de-at, en;q=0.8', 'de_AT'],
  ['en;q=0.5, fr-CH;q=0.9', 'fr_CH'],
  ['fr;q=0.8, es;q=0.8', 'fr'],
  ['nl, it;q=0.9, es-MX;q=0.1', 'es_MX'],
  ['es-419', 'es'],
  ['de-Latn-DE', 'de_DE'],
  ['de-DE-u-co-phonebk', 'de_DE'],
  ['fr;q=0, de;q=0.001', 'de'],
  ['fr;q=2, de', 'de'],
  ['<script>, de', 'de'],
  [`${'nl,'.repeat(49)}de,fr`, 'de'],
  [`${'nl,'.repeat(50)}de`, 'en'],
];

for (const [header, locale] of headers) {
  test(`${header?.slice(0, 30)} ${header?.length ?? 0} is ${locale}`, (t) => {
    t.is(acceptedLocale(header), locale);
  });
}

test('a locale has a country: the browser’s, else the entered one, else the usual one', (t) => {
  t.is(keptLocale('de_AT', 'DE'), 'de_AT');
  t.is(keptLocale('de', 'CH'), 'de_CH');
  t.is(keptLocale('en', null), 'en_US');
  t.is(keptLocale('fr', 'Schweiz'), 'fr_FR');
});

test('a page is in the language of its locale, else in English, with the dates of its language', (t) => {
  t.deepEqual(['de-AT', 'fr-CA', 'es-MX', 'en-GB', 'ja-JP'].map(languageOf), [
    'de',
    'fr',
    'es',
    'en',
    'en',
  ]);
  t.deepEqual(['de-AT', 'de', 'ja-JP'].map(figuresLocaleOf), ['de-AT', 'de-DE', 'en-JP']);
});
