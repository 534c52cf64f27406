/** The words of the profile of hosted self-service, in English. */
import type { Translated } from '../../../pages/words-english.ts';

export const english = {
  title: 'Your profile',
  contactGroup: 'Contact',
  addressGroup: 'Address',
  passwordGroup: 'Password',
  passwordNote:
    'Your present password is needed for another e-mail address or a new password. A new ' +
    'password ends your other sessions.',
  username: 'User name',
  companyName: 'Company',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'E-mail',
  phone: 'Phone',
  street1: 'Street',
  street2: 'Address addition',
  city: 'City',
  state: 'State',
  zip: 'Postal code',
  country: 'Country',
  oldPassword: 'Present password',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters, with upper and lower case letters and a digit',
  save: 'Save',
  saved: 'Your changes are saved.',
  unchanged: 'Nothing was changed.',
} as const;

export type ProfileWords = Translated<typeof english>;
