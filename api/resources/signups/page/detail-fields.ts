/** The fields of step 1 of a hosted sign-up. */
import { cityField, contactFields, zipField } from '../../../pages/contact-fields.ts';
import type { Fields } from '../../../pages/form.ts';
import { orderFields } from '../../../pages/order-fields.ts';
import { placeFields } from '../../../pages/place.ts';

export const streetFields = {
  street: { label: 'street', autocomplete: 'address-line1' },
  city: cityField,
  zipcode: zipField,
} as const satisfies Fields;

export const loginFields = {
  login: { label: 'login', autocomplete: 'username', isLiteral: true, hint: 'loginHint' },
  passwd: {
    label: 'password',
    autocomplete: 'new-password',
    type: 'password',
    hint: 'passwordHint',
  },
} as const satisfies Fields;

/** What is read as texts; a place and a password are more than that. */
export const textFields = { ...contactFields, ...streetFields, login: loginFields.login };

/** The names of the fields are those of the parameters of `signup/start`. */
export const customerFields = {
  ...contactFields,
  ...placeFields,
  ...streetFields,
  ...loginFields,
};

const detailFields = { ...customerFields, ...orderFields };

export const isDetailField = (name: string | null): boolean =>
  name !== null && Object.hasOwn(detailFields, name);
