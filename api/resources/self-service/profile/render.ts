/** Renders the profile of a customer: its billing contact, to be changed. */
import { asWritten } from '../../../pages/contact-fields.ts';
import {
  formContext,
  formOf,
  problemsOf,
  requiredText,
  type FormContext,
} from '../../../pages/fields.ts';
import { shownFields, type Fields, type ShownField } from '../../../pages/form.ts';
import { placeLooks, shownState } from '../../../pages/place.ts';
import { templatesOf } from '../../../pages/templates.ts';
import type { AskedPlace } from '../../../../domain/tax/place.ts';
import type { ProfileWords } from '../../../../domain/text/messages.ts';
import { messages } from '../../../../messages/messages.ts';
import type { FormView } from '../../../pages/view.ts';
import { inAccount, type AccountView } from '../page/account.ts';
import { addressFields, passwordFields, personFields, type ProfileTexts } from './profile-form.ts';

export interface ProfileView extends AccountView {
  readonly form: FormView;
  readonly values: ProfileTexts;
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
    username: messages[context.language].field.username,
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

interface Group {
  readonly name: string;
  readonly title: string;
  readonly note: string | null;
  readonly username: string | null;
  readonly fields: readonly ShownField[];
}

function groupsOf(view: ProfileView, own: ProfileWords, context: FormContext): Group[] {
  const { language } = context;
  const titles = messages[language].field;
  const values = { ...view.values, state: shownState(view.values) };
  const looks = placeLooks(context, view.asked, view.values);
  const group = (name: string, title: string, fields: Fields): Group => ({
    name,
    title,
    note: null,
    username: null,
    fields: Object.values(shownFields(context, fields, { values, looks })),
  });
  return [
    { ...group('contact', titles.contactGroup, personFields), username: view.username },
    group('address', titles.addressGroup, asWritten(addressFields, language)),
    ...(view.asksPassword
      ? [{ ...group('password', own.passwordGroup, passwordFields), note: own.passwordNote }]
      : []),
  ];
}
