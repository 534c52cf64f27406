/** The fields of a person and of a place, as every form that asks for them has them. */
import { isMailAddress } from '../../domain/mail/kinds.ts';
import type { Language } from '../../domain/text/language.ts';
import type { Field, Fields } from './form.ts';
import { nameFault } from './typed-text.ts';

export const contactFields = {
  companyName: { label: 'companyName', autocomplete: 'organization', check: nameFault },
  firstName: {
    label: 'firstName',
    autocomplete: 'given-name',
    isRequired: true,
    check: nameFault,
  },
  lastName: {
    label: 'lastName',
    autocomplete: 'family-name',
    isRequired: true,
    check: nameFault,
  },
  email: {
    label: 'email',
    autocomplete: 'email',
    type: 'email',
    isRequired: true,
    check: (text) => (isMailAddress(text) ? null : 'email'),
  },
  phone: {
    label: 'phone',
    autocomplete: 'tel',
    type: 'tel',
    holds: 'phone',
    check: (text) => (/\d/.test(text) ? null : 'phone'),
  },
} as const satisfies Fields;

export const cityField = { label: 'city', autocomplete: 'address-level2' } as const satisfies Field;
export const zipField = { label: 'zip', autocomplete: 'postal-code' } as const satisfies Field;

/** The fields of an address in the order in which people write it. */
export function asWritten(fields: Fields, language: Language): Fields {
  const town = ['address-level2', 'address-level1'];
  const written = language === 'en' ? [...town, 'postal-code'] : ['postal-code', ...town];
  const rank = ([, { autocomplete }]: readonly [string, Field]) => written.indexOf(autocomplete);
  return Object.fromEntries(Object.entries(fields).toSorted((a, b) => rank(a) - rank(b)));
}
