/** Formats postal addresses as lines, in the order that the country's post requires. */

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
 * The lines of an address without empty parts, the country last.
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
  const country = named === undefined || named === code ? code && countryName(code) : named;
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

/** Users write the code into either field. */
function codeOf({ country, countryCode }: PostalAddress): string | undefined {
  const code = (present(countryCode) ?? present(country))?.toUpperCase();
  return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : undefined;
}

function joined(separator: string, ...parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : given.join(separator);
}

function present(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}
