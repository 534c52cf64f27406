/** Shows the fields of step 1 of a hosted sign-up, in groups. */
import type { SignupWords } from '../../../../domain/text/messages.ts';
import { messages } from '../../../../messages/messages.ts';
import { asWritten, contactFields } from '../../../pages/contact-fields.ts';
import type { FormContext } from '../../../pages/fields.ts';
import { shownFields, type Fields, type ShownField } from '../../../pages/form.ts';
import { orderFields } from '../../../pages/order-fields.ts';
import { placeFields, placeLooks, shownState } from '../../../pages/place.ts';
import { loginFields, streetFields } from './detail-fields.ts';
import type { DetailsView } from './views.ts';

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
