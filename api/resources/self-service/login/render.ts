/** Renders the pages that need no session: the login, and those of a forgotten password. */
import { fill } from '../../../../domain/text/fill.ts';
import type { LoginWords } from '../../../../domain/text/messages.ts';
import { messagesOf } from '../../../../messages/messages.ts';
import { formContext, formOf, problemsOf } from '../../../pages/fields.ts';
import { shownFields, type Fields } from '../../../pages/form.ts';
import { framed, linkable } from '../../../pages/frame.ts';
import { templatesOf } from '../../../pages/templates.ts';
import type { FormView, PageView } from '../../../pages/view.ts';
import { loginFields, newPasswordFields, resetRequestFields } from './door.ts';

export interface LoginView extends PageView {
  readonly form: FormView;
  readonly username: string;
  /** A password was set a moment ago. */
  readonly wasReset: boolean;
  /** Of the page for a forgotten password; null where the tenant sends no mails. */
  readonly resetAddress: string | null;
}

export interface ResetRequestView extends PageView {
  readonly form: FormView;
  /** A user name or an e-mail address. */
  readonly name: string;
  readonly loginAddress: string;
}

export interface ResetRequestedView extends PageView {
  readonly loginAddress: string;
  /** Nobody asked: too many wrong passwords were typed. */
  readonly isGuarded?: boolean;
}

export interface NewPasswordView extends PageView {
  readonly form: FormView;
  readonly username: string;
}

const render = templatesOf(import.meta.dirname);

export function renderLogin(view: LoginView): string {
  const { username, wasReset, resetAddress } = view;
  const own = wordsOf(view);
  return formPage(view, {
    page: 'login',
    title: own.login,
    message: wasReset ? own.wasReset : null,
    fields: loginFields,
    values: { username },
    submit: own.submitLogin,
    link: resetAddress === null ? null : { address: linkable(resetAddress), text: own.forgotten },
  });
}

export function renderResetRequest(view: ResetRequestView): string {
  const own = wordsOf(view);
  return formPage(view, {
    page: 'login',
    title: own.ask,
    lead: own.askLead,
    fields: resetRequestFields,
    values: { name: view.name },
    submit: own.submitAsk,
    link: { address: linkable(view.loginAddress), text: own.back },
  });
}

/** What everybody is told who asked, known or not. */
export function renderResetRequested(view: ResetRequestedView): string {
  const own = wordsOf(view);
  const lead = view.isGuarded === true ? own.guarded : null;
  const body = render('asked', { own, lead, link: linkable(view.loginAddress) });
  return framed({ ...view, page: 'notice notice-asked', title: own.askedTitle, body });
}

export function renderNewPassword(view: NewPasswordView): string {
  const own = wordsOf(view);
  return formPage(view, {
    page: 'login',
    title: own.choose,
    lead: `${fill(own.chooseFor, { username: view.username })}. ${own.chooseNote}`,
    fields: newPasswordFields,
    submit: own.submitChoose,
  });
}

interface FormPage {
  readonly page: string;
  readonly title: string;
  readonly message?: string | null;
  /** A sentence above the fields. */
  readonly lead?: string;
  readonly fields: Fields;
  readonly values?: Readonly<Record<string, string>>;
  readonly submit: string;
  readonly link?: { readonly address: string; readonly text: string } | null;
}

function formPage(
  view: PageView & { readonly form: FormView },
  { page, title, message = null, lead, submit, link = null, ...form }: FormPage,
): string {
  const context = formContext(view);
  const fields = Object.values(shownFields(context, form.fields, { values: form.values ?? {} }));
  const problems = problemsOf(context, fields);
  const body = render('door', {
    ...context,
    title,
    message,
    lead: lead ?? null,
    fields,
    submit,
    link,
    problems,
    step: null,
    // Every field is.
    requiredNote: null,
    triesLeft: null,
    form: formOf(context),
  });
  return framed({ ...view, page, title, isFaulty: problems.length > 0, body });
}

const wordsOf = ({ locale }: PageView): LoginWords => messagesOf(locale).login;
