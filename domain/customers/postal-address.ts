/** Formats postal addresses as lines, in the order that the country's post requires. */
import { languages } from '../text/language.ts';

export interface PostalAddress {
  readonly street1?: string | null | undefined;
  readonly street2?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly zip?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly countryCode?: string | null | undefined;
}

/** Countries whose postal code follows the town on its line. */
const codeLast = new Set(['US', 'CA', 'AU', 'NZ', 'IN', 'KR', 'TH', 'VN', 'TW', 'SG', 'ID', 'SA']);
/** Countries whose postal code has a separate line below the town. */
const codeBelow = new Set(['GB', 'IE', 'HK', 'ZA', 'KE', 'EG']);

/**
 * The lines of an address without empty parts, the country last: by its name in the document's
 * language, unless the address names it in its own way, as England.
 *
 * @example addressLines({ street1: 'Am Markt 1', zip: '10115', city: 'Berlin', countryCode: 'DE' },
 *   (code) => code) // ['Am Markt 1', '10115 Berlin', 'DE']
 */
export function addressLines(
  address: PostalAddress,
  countryName: (code: string) => string,
): string[] {
  const code = codeOf(address);
  const town = townLines(address, code);
  const named = present(address.country);
  const isCode =
    code !== undefined && (named === undefined || named === code || codeNamed(named) === code);
  const country = isCode ? countryName(code) : named;
  return [present(address.street1), present(address.street2), ...town, country].filter(
    (line) => line !== undefined,
  );
}

function townLines(address: PostalAddress, code: string | undefined): (string | undefined)[] {
  const city = present(address.city);
  const state = present(address.state);
  const zip = present(address.zip);
  if (code !== undefined && codeBelow.has(code)) return [city, state, zip];
  if (code === undefined || codeLast.has(code)) {
    const region = joined(' ', state, zip);
    return [joined(', ', city, region)];
  }
  return [joined(' ', zip, city), state];
}

/** Users write the code into either field, or the name of the country alone. */
function codeOf({ country, countryCode }: PostalAddress): string | undefined {
  const given = present(countryCode) ?? present(country);
  const code = given?.toUpperCase();
  if (code !== undefined && /^[A-Z]{2}$/.test(code)) return code;
  return given === undefined ? undefined : codeNamed(given);
}

function joined(separator: string, ...parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : given.join(separator);
}

function present(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/* The countries of ISO 3166-1, by their codes of two letters. */

/** All codes, in order. @example countryCodes[0] // 'AD' */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR ' +
  'BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ ' +
  'EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW ' +
  'GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY ' +
  'KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV ' +
  'MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY ' +
  'QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG ' +
  'TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ' +
  'ZW'
).split(' ');

const countries = new Set(countryCodes);

/**
 * Whether a text is the code of a country, in capitals.
 *
 * @example isCountry('GB') // true; 'UK' is reserved, and no country's code
 */
export function isCountry(code: string): boolean {
  return countries.has(code);
}

/* The names of countries in the languages of documents. */

let codesByName: ReadonlyMap<string, string> | undefined;

/**
 * The code of a country that is named in one of the languages; undefined for another name.
 *
 * @example codeNamed('Alemania') // 'DE'; codeNamed('England') // undefined
 */
function codeNamed(name: string): string | undefined {
  // A thousand names take milliseconds.
  codesByName ??= new Map(
    languages.flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: 'region' });
      return countryCodes.map((code) => [folded(names.of(code) ?? code), code] as const);
    }),
  );
  return codesByName.get(folded(name));
}

const folded = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
