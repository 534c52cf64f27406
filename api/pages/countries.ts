/** The list of countries, by their names in the language of a page. */
import { countryCodes, isCountry } from '../../domain/customers/countries.ts';
import type { Language } from '../../domain/text/language.ts';
import type { Option } from './fields.ts';

const lists = new Map<Language, readonly Option[]>();

/**
 * Every country, after a text for none. What is prefilled and no code of a country, such as a name
 * that the caller of the interface had, is kept as an entry of its own.
 */
export function countryOptions(
  language: Language,
  { none, value }: { readonly none: string; readonly value: string },
): readonly Option[] {
  const kept = value === '' || isCountry(value) ? [] : [{ value, text: value }];
  return [{ value: '', text: none }, ...kept, ...countriesIn(language)];
}

/** Names and their order take milliseconds, and never change. */
function countriesIn(language: Language): readonly Option[] {
  const known = lists.get(language);
  if (known !== undefined) return known;
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  const list = countryCodes
    .map((value) => ({ value, text: names.of(value) ?? value }))
    .toSorted((one, other) => compare(one.text, other.text));
  lists.set(language, list);
  return list;
}
