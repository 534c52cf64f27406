/** The fields of step 1 of a hosted sign-up, in groups. */
import { countryOptions } from '../../../pages/countries.ts';
import { fieldOf } from '../../../pages/fields.ts';
import type { FieldSpec, FormContext } from '../../../pages/fields.ts';
import type { CustomerFieldName, DetailsView, OrderFieldName } from './views.ts';
import type { SignupWords } from './words-english.ts';

type Name = CustomerFieldName | OrderFieldName;
type Spec = Omit<FieldSpec, 'name' | 'label' | 'value'>;

const contact = {
  companyName: { autocomplete: 'organization' },
  firstName: { autocomplete: 'given-name', isRequired: true },
  lastName: { autocomplete: 'family-name', isRequired: true },
  email: { autocomplete: 'email', type: 'email', isRequired: true },
  phone: { autocomplete: 'tel', type: 'tel' },
} as const satisfies Partial<Record<Name, Spec>>;

const street = { street: { autocomplete: 'address-line1' } } as const;
const zipcode = { zipcode: { autocomplete: 'postal-code' } } as const;
const place = {
  city: { autocomplete: 'address-level2' },
  state: { autocomplete: 'address-level1' },
} as const;

interface Group {
  readonly name: string;
  readonly title: string;
  readonly note: string | null;
  readonly fields: readonly ReturnType<typeof fieldOf>[];
}

/** The groups that the page has: what the link hides is not on it. */
export function groupsOf(
  { customer, asksLogin, order, plans }: DetailsView,
  own: SignupWords,
  context: FormContext,
): Group[] {
  // Whatever a view holds: a password is never written into a page.
  const values = { ...customer, ...order, passwd: undefined };
  const group = (name: string, title: string, specs: Readonly<Record<string, Spec>>): Group => ({
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
  const country = countryOptions(context.language, {
    none: context.words.choose,
    value: customer?.country ?? '',
  });
  return [
    ...(customer === null
      ? []
      : [
          group('contact', own.contactGroup, contact),
          group('address', own.addressGroup, {
            ...street,
            // The order in which people write an address.
            ...(context.language === 'en' ? { ...place, ...zipcode } : { ...zipcode, ...place }),
            country: { autocomplete: 'country', options: country },
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

function loginSpecs(own: SignupWords): Readonly<Record<string, Spec>> {
  return {
    login: { autocomplete: 'username', isLiteral: true, hint: own.loginHint },
    passwd: { autocomplete: 'new-password', type: 'password', hint: own.passwdHint },
  };
}

/** A list of one plan needs no choice. */
function orderSpecs(plans: DetailsView['plans'], choose: string): Readonly<Record<string, Spec>> {
  const options = plans.map(({ contractCode, name }) => ({ value: contractCode, text: name }));
  return {
    contractCode: {
      autocomplete: 'off',
      isRequired: true,
      options: plans.length === 1 ? options : [{ value: '', text: choose }, ...options],
    },
    quantity: { autocomplete: 'off', inputMode: 'decimal', isRequired: true },
    couponCode: { autocomplete: 'off', isLiteral: true },
  };
}
