/** The country and the state of a form: what is asked for, what can be chosen, what was typed. */
import { isCountry, countryCodes } from '../../domain/customers/postal-address.ts';
import { askedPlace, type AskedPlace } from '../../domain/tax/place.ts';
import { countriesOfStates, knownState, statesOf } from '../../domain/tax/states.ts';
import type { Language } from '../../domain/text/language.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { FormFields } from '../calls/route-types.ts';
import type { FieldSpec, FormContext, StateList, Option } from './fields.ts';
import type { Fields } from './form.ts';
import { typedText, type Refuse } from './typed-text.ts';

export const askedPlaceOf = ({ taxProvider, taxRates }: TenantInfo): AskedPlace =>
  askedPlace({ hasProvider: taxProvider !== null, rates: taxRates });

export const placeFields = {
  country: { label: 'country', autocomplete: 'country' },
  state: { label: 'state', autocomplete: 'address-level1' },
} as const satisfies Fields;

export interface TypedPlace {
  readonly state: string | null;
  /** A code, or the name that was stored before. */
  readonly country: string | null;
}

/**
 * Names of states become their codes. What was stored before may stay, unless taxes go by it.
 *
 * @param stored as the form showed it
 */
export function readPlace(
  fields: FormFields,
  { asked, stored }: { readonly asked: AskedPlace; readonly stored: TypedPlace },
  refuse: Refuse,
): TypedPlace {
  const country = readCountry(
    typedText(fields, { name: 'country' }, refuse),
    { asked, stored },
    refuse,
  );
  const typed = typedText(fields, { name: 'state' }, refuse);
  if (typed === null) {
    if (country !== null && asked.statesOf.includes(country)) refuse('state', 'required');
    return { state: null, country };
  }
  if (statesOf(country).length === 0) return { state: typed, country };
  const code = knownState(country, typed);
  const isKept = !asked.country && typed === stored.state && country === stored.country;
  if (code === null && !isKept) refuse('state', 'state');
  return { state: code ?? typed, country };
}

function readCountry(
  typed: string | null,
  { asked, stored }: { readonly asked: AskedPlace; readonly stored: TypedPlace },
  refuse: Refuse,
): string | null {
  if (typed === null) {
    if (asked.country) refuse('country', 'required');
    return null;
  }
  const code = typed.toUpperCase();
  if (isCountry(code)) return code;
  if (asked.country || typed !== stored.country) refuse('country', 'country');
  return typed;
}

type PlaceValues = Readonly<Partial<Record<'state' | 'country', string>>>;

/** As the choice has it: a name of a state is shown as its code. */
export const shownState = ({ country = '', state = '' }: PlaceValues): string =>
  knownState(country, state) ?? state;

/** What can be chosen: the country decides about the states, and the script follows it. */
export function placeLooks(
  { language, words }: Pick<FormContext, 'language' | 'words'>,
  asked: AskedPlace,
  { country = '', state = '' }: PlaceValues,
): Readonly<Record<keyof typeof placeFields, Partial<FieldSpec>>> {
  const options = countryOptions(language, { none: words.choose, value: country });
  const states = statesOf(country).map(({ code, name }) => ({ value: code, text: name }));
  const isOther = state !== '' && knownState(country, state) === null;
  const kept = isOther ? [{ value: state, text: state }] : [];
  return {
    country: { options, isRequired: asked.country },
    state: {
      isRequired: asked.statesOf.includes(country),
      states: statesFor(asked, words.choose),
      ...(states.length > 0 && {
        options: [{ value: '', text: words.choose }, ...kept, ...states],
      }),
    },
  };
}

const statesFor = (asked: AskedPlace, none: string): StateList => ({
  none,
  requiredIn: asked.statesOf.join(' '),
  list: countriesOfStates
    .map((country) => {
      const states = statesOf(country).map(({ code, name }) => `${code} ${name}`);
      return `${country} ${states.join('|')}`;
    })
    .join('\n'),
});

/* The list of countries, by their names in the language of a page. */

const lists = new Map<Language, readonly Option[]>();

/**
 * Every country, after a text for none. What is prefilled and no code of a country, such as a name
 * that the caller of the interface had, is kept as an entry of its own.
 */
function countryOptions(
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
