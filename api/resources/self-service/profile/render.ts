/** Renders the profile of a customer: its billing contact, to be changed. */
import { contactFields, placeFields } from '../../../pages/contact-fields.ts';
import type { FormField } from '../../../pages/contact-fields.ts';
import { fieldOf, formContext, formOf, problemsOf, requiredText } from '../../../pages/fields.ts';
import type { FormContext } from '../../../pages/fields.ts';
import { choiceFields, shownState } from '../../../pages/place.ts';
import { templatesOf } from '../../../pages/templates.ts';
import type { AskedPlace } from '../../../../domain/tax/place.ts';
import type { ProfileWords } from '../../../../domain/text/messages.ts';
import { messages } from '../../../../messages/messages.ts';
import type { FormView } from '../../../pages/view.ts';
import { inAccount } from '../page/account.ts';
import type { AccountView } from '../page/account.ts';
import type { TypedName } from './profile-form.ts';

export interface ProfileView extends AccountView {
  readonly form: FormView;
  readonly values: Readonly<Partial<Record<TypedName, string>>>;
  readonly asked: AskedPlace;
  /** Null if the contact has none. */
  readonly username: string | null;
  /** It has one, and logs in by it. */
  readonly asksPassword: boolean;
  readonly message: 'saved' | 'unchanged' | null;
}

const render = templatesOf(import.meta.dirname);

export function renderProfile(view: ProfileView): string {
  const context = formContext(view);
  const own = messages[context.language].profile;
  const groups = groupsOf(view, own, context);
  const fields = groups.flatMap((group) => group.fields);
  const problems = problemsOf(context, fields);
  const body = render('profile', {
    ...context,
    own,
    groups,
    problems,
    title: own.title,
    message: view.message === null ? null : own[view.message],
    step: null,
    triesLeft: null,
    requiredNote: requiredText(context, fields),
    form: formOf(context),
  });
  const isFaulty = problems.length > 0;
  return inAccount(view, { part: 'profile', page: 'profile', title: own.title, isFaulty, body });
}

type Specs = Readonly<Record<string, FormField>>;

const streets = {
  street1: { autocomplete: 'address-line1' },
  street2: { autocomplete: 'address-line2' },
} as const satisfies Specs;

function groupsOf(view: ProfileView, own: ProfileWords, context: FormContext) {
  const { username, asksPassword } = view;
  const values = { ...view.values, state: shownState(view.values) };
  const { country, state } = choiceFields(context, view.asked, view.values);
  const group = (name: string, title: string, specs: Specs) => ({
    name,
    title,
    note: null as string | null,
    username: null as string | null,
    fields: Object.entries(specs).map(([field, spec]) => {
      const its = field as TypedName | 'oldPassword' | 'newPassword';
      // Whatever a view holds: a password is never written into a page.
      const value = spec.type === 'password' ? '' : values[its as TypedName];
      return fieldOf(context, { ...spec, name: field, label: own[its], value });
    }),
  });
  return [
    { ...group('contact', own.contactGroup, contactFields), username },
    group('address', own.addressGroup, {
      country,
      ...streets,
      ...placeFields(context.language, { zipName: 'zip', state }),
    }),
    ...(asksPassword
      ? [{ ...group('password', own.passwordGroup, passwordSpecs(own)), note: own.passwordNote }]
      : []),
  ];
}

function passwordSpecs(own: ProfileWords): Specs {
  return {
    oldPassword: { autocomplete: 'current-password', type: 'password' },
    newPassword: { autocomplete: 'new-password', type: 'password', hint: own.newPasswordHint },
  };
}
