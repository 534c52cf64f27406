/** The fields of step 1 of a hosted sign-up, in groups. */
import type { SignupWords } from '../../../../domain/text/messages.ts';
import { contactFields, placeFields } from '../../../pages/contact-fields.ts';
import type { FormField } from '../../../pages/contact-fields.ts';
import { fieldOf } from '../../../pages/fields.ts';
import type { FormContext } from '../../../pages/fields.ts';
import { choiceFields, shownState } from '../../../pages/place.ts';
import type { CustomerFieldName, DetailsView, OrderFieldName } from './views.ts';

type Name = CustomerFieldName | OrderFieldName;
const street = { street: { autocomplete: 'address-line1' } } as const;

interface Group {
  readonly name: string;
  readonly title: string;
  readonly note: string | null;
  readonly fields: readonly ReturnType<typeof fieldOf>[];
}

/** The groups that the page has: what the link hides is not on it. */
export function groupsOf(
  { customer, asksLogin, order, plans, asked }: DetailsView,
  own: SignupWords,
  context: FormContext,
): Group[] {
  // Whatever a view holds: a password is never written into a page.
  const values = {
    ...customer,
    ...order,
    passwd: undefined,
    state: customer === null ? '' : shownState(customer),
  };
  const group = (
    name: string,
    title: string,
    specs: Readonly<Record<string, FormField>>,
  ): Group => ({
    name,
    title,
    note: null,
    fields: Object.entries(specs).map(([field, spec]) =>
      fieldOf(context, {
        ...spec,
        name: field,
        label: own[field as Name],
        value: values[field as Name],
      }),
    ),
  });
  const { country, state } = choiceFields(context, asked, customer ?? {});
  return [
    ...(customer === null
      ? []
      : [
          group('contact', own.contactGroup, contactFields),
          group('address', own.addressGroup, {
            country,
            ...street,
            ...placeFields(context.language, { zipName: 'zipcode', state }),
          }),
        ]),
    ...(customer !== null && asksLogin
      ? [{ ...group('login', own.loginGroup, loginSpecs(own)), note: own.loginNote }]
      : []),
    ...(order === null
      ? []
      : [group('order', own.orderGroup, orderSpecs(plans, context.words.choose))]),
  ];
}

function loginSpecs(own: SignupWords): Readonly<Record<string, FormField>> {
  return {
    login: { autocomplete: 'username', isLiteral: true, hint: own.loginHint },
    passwd: { autocomplete: 'new-password', type: 'password', hint: own.passwdHint },
  };
}

/** A list of one plan needs no choice. */
function orderSpecs(
  plans: DetailsView['plans'],
  choose: string,
): Readonly<Record<string, FormField>> {
  const options = plans.map(({ contractCode, name }) => ({ value: contractCode, text: name }));
  return {
    contractCode: {
      autocomplete: 'off',
      isRequired: true,
      options: plans.length === 1 ? options : [{ value: '', text: choose }, ...options],
    },
    quantity: { autocomplete: 'off', inputMode: 'numeric', isRequired: true },
    couponCode: { autocomplete: 'off', isLiteral: true },
  };
}
