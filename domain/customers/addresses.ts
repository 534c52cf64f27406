/** Which elements of a postal address are missing or invalid, by rules that ask nobody. */
import { type PostalAddress, isCountry } from './postal-address.ts';

export interface AddressFault {
  readonly code: 'address.invalid';
  readonly element: keyof PostalAddress;
  /** What is wrong with the element, after its name. */
  readonly text: string;
  /** The value at fault; null if there is none. */
  readonly value: string | null;
}

/** States, the district and the territories by Publication 28 of the USPS, and those of the forces. */
const usStates = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ ' +
    'NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS FM GU MH MP PR PW VI AA AE AP'
  ).split(' '),
);

/**
 * The faults of an address, in the order of its elements; none of an address without any value.
 * Street, city and country are required everywhere, state and zip in the US. The country is the
 * code, or else a country of two letters.
 *
 * @example addressFaults({ street1: '1 Main St', city: 'Albany', state: 'NY', zip: '1220',
 *   countryCode: 'US' }) // zip 'must have 5 or 9 digits', value '1220'
 */
export function addressFaults(address: PostalAddress): readonly AddressFault[] {
  if (Object.values(address).every((value) => present(value) === null)) return [];
  const { street1, city, state, zip } = address;
  const required = [missing('street1', street1), missing('city', city)];
  const country = countryOf(address);
  const local = country.value?.toUpperCase() === 'US' ? [stateFault(state), zipFault(zip)] : [];
  return [...required, ...local, countryFault(country)].filter((each) => each !== null);
}

type Value = string | null | undefined;

interface GivenCountry {
  readonly element: 'country' | 'countryCode';
  readonly value: string | null;
}

/** The name of a country in `country` stands for no code, so the code is what is missing. */
function countryOf({ country, countryCode }: PostalAddress): GivenCountry {
  const code = present(countryCode);
  const named = present(country);
  if (code === null && named !== null && /^[a-z]{2}$/i.test(named)) {
    return { element: 'country', value: named };
  }
  return { element: 'countryCode', value: code };
}

function countryFault({ element, value }: GivenCountry): AddressFault | null {
  if (value === null) return missing(element, value);
  if (isCountry(value.toUpperCase())) return null;
  return invalid(element, 'must be a code of two letters by ISO 3166', value);
}

function stateFault(state: Value): AddressFault | null {
  const value = present(state);
  if (value === null) return missing('state', value);
  if (usStates.has(value.toUpperCase())) return null;
  return invalid('state', 'must be a code of two letters by the USPS, for example NY', value);
}

function zipFault(zip: Value): AddressFault | null {
  const value = present(zip);
  if (value === null) return missing('zip', value);
  return /^\d{5}(-?\d{4})?$/.test(value) ? null : invalid('zip', 'must have 5 or 9 digits', value);
}

function missing(element: keyof PostalAddress, value: Value): AddressFault | null {
  if (present(value) !== null) return null;
  return { code: 'address.invalid', element, text: 'is required', value: null };
}

function invalid(element: keyof PostalAddress, text: string, value: string): AddressFault {
  return { code: 'address.invalid', element, text, value };
}

function present(value: Value): string | null {
  return value?.trim() || null;
}
