/** The contact and the address of a sign-up's customer, from what was sent or entered. */
import { isCountry } from '../../domain/customers/postal-address.ts';
import type { WrittenAddress } from '../../domain/tax/documents.ts';
import type { ContactFields } from '../customers/contact-input.ts';
import type { SignupCustomerFields } from './signup-row.ts';

type AddressFields = Pick<
  SignupCustomerFields,
  'street' | 'city' | 'state' | 'zipcode' | 'country'
>;

/** As its customer is taxed by it. */
export function addressOf(row: AddressFields): WrittenAddress {
  const { street: street1, city, state, zipcode: zip, country } = row;
  return { street1, street2: null, city, state, zip, country, countryCode: codeOf(country) };
}

/** A country of two letters is a countryCode, too. */
function codeOf(country: string | null): string | null {
  const code = country?.toUpperCase() ?? '';
  return isCountry(code) ? code : null;
}

/** The billing contact of a customer of its own. */
export function contactOf(
  row: SignupCustomerFields & { readonly passwordHash: string | null },
): ContactFields {
  const { companyName, firstName, lastName, email, phone, login, passwordHash } = row;
  return {
    username: login,
    passwordHash,
    firstName,
    lastName,
    companyName,
    emailPrimary: email,
    workPhone: phone,
    ...addressOf(row),
  };
}
