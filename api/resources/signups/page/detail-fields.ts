/** The fields of step 1 of a hosted sign-up. */
import { asWritten, cityField, contactFields, zipField } from '../../../pages/contact-fields.ts';
import { type Fields, type ShownField, shownFields } from '../../../pages/form.ts';
import { orderFields } from '../../../pages/order-fields.ts';
import { placeFields, placeLooks, shownState } from '../../../pages/place.ts';
import type { SignupWords } from '../../../../domain/text/messages.ts';
import { messages } from '../../../../messages/messages.ts';
import type { FormContext } from '../../../pages/fields.ts';
import type { DetailsView } from './views.ts';

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

/* Shows the fields of step 1 of a hosted sign-up, in groups. */

interface Group {
  readonly name: string;
  readonly title: string;
  readonly note: string | null;
  readonly fields: readonly ShownField[];
}

/** The groups that the page has: what the link hides is not on it. */
export function groupsOf(
  { customer, asksLogin, order, plans, asked }: DetailsView,
  own: SignupWords,
  context: FormContext,
): Group[] {
  const { language, words } = context;
  const titles = messages[language].field;
  const state = customer === null ? '' : shownState(customer);
  const values = { ...customer, ...order, state };
  const looks = {
    ...placeLooks(context, asked, customer ?? {}),
    contractCode: { options: planOptions(plans, words.choose) },
  };
  const group = (name: string, title: string, fields: Fields): Group => ({
    name,
    title,
    note: null,
    fields: Object.values(shownFields(context, fields, { values, looks })),
  });
  const address = asWritten({ ...placeFields, ...streetFields }, language);
  return [
    ...(customer === null
      ? []
      : [
          group('contact', titles.contactGroup, contactFields),
          group('address', titles.addressGroup, address),
        ]),
    ...(customer !== null && asksLogin
      ? [{ ...group('login', own.loginGroup, loginFields), note: own.loginNote }]
      : []),
    ...(order === null ? [] : [group('order', own.orderGroup, orderFields)]),
  ];
}

/** A list of one plan needs no choice. */
function planOptions(plans: DetailsView['plans'], choose: string) {
  const options = plans.map(({ contractCode, name }) => ({ value: contractCode, text: name }));
  return plans.length === 1 ? options : [{ value: '', text: choose }, ...options];
}
