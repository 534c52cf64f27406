/** Renders the page of an action link, and that on which the sandbox asks a payer. */
import { formatsOf, instantText } from '../../../domain/invoices/formats.ts';
import { compare } from '../../../domain/money/money.ts';
import { fill } from '../../../domain/text/fill.ts';
import { messages, messagesOf } from '../../../messages/messages.ts';
import type { ShownAction } from '../../../operations/action-links/links.ts';
import type { ShownChallenge } from '../../../providers/gateway/sandbox/challenges.ts';
import { formContext, formOf, problemsOf } from '../../pages/fields.ts';
import { type ChallengeOnPage, shownChallenge } from '../../pages/gateway-fields.ts';
import { framed, linkable } from '../../pages/frame.ts';
import { figuresLocaleOf } from '../../pages/language.ts';
import { templatesOf } from '../../pages/templates.ts';
import type { FormView, PageView } from '../../pages/view.ts';

const render = templatesOf(import.meta.dirname);

export interface ActionView extends PageView, Omit<ShownAction, 'locale' | 'countryCode'> {
  readonly form: FormView;
  /** Leads to the page that pays its one invoice otherwise; null of several. */
  readonly other: FormView | null;
  readonly timezone: string;
  /** The gateway's script on the page lets the payer authenticate. */
  readonly challenge: ChallengeOnPage | null;
}

export function renderAction(view: ActionView): string {
  const context = formContext(view);
  const texts = messages[context.language];
  const own = texts.payerAction;
  const locale = figuresLocaleOf(view.locale);
  const amount = formatsOf(locale, view.currency).amount(view.amount);
  const problems = problemsOf(context, []);
  const title = own.title;
  const facts = [
    { label: texts.record.payments.amount, value: amount },
    { label: texts.record.payments.method, value: view.method },
    { label: own.invoices, value: numbersOf(view) },
    { label: own.until, value: instantText(view.until, { locale, timezone: view.timezone }) },
  ].filter(({ value }) => value !== null && value !== '');
  const body = render('action', {
    ...context,
    own,
    title,
    facts,
    problems,
    step: null,
    requiredNote: null,
    otherForm: view.other,
    challenge: view.challenge && shownChallenge(texts.page.gateway, view.challenge),
    confirm: fill(own.confirm, { amount }),
    form: formOf(context),
  });
  return framed({ ...view, page: 'action', title, isFaulty: problems.length > 0, body });
}

const numbersOf = ({ invoices }: ActionView): string =>
  invoices.map(({ invoiceNumber }) => invoiceNumber).join(', ');

export interface ChallengeView extends PageView, Omit<ShownChallenge, 'isOver'> {
  /** Null once it was answered, or is over. */
  readonly form: FormView | null;
}

/** The names of its buttons' values are those of the answers. */
export function renderChallenge(view: ChallengeView): string {
  const own = messagesOf(view.locale).sandbox;
  const title = own.title;
  const isPaid = compare(view.amount, '0') > 0;
  const amount = isPaid
    ? formatsOf(figuresLocaleOf(view.locale), view.currency).amount(view.amount)
    : null;
  const { form } = view;
  const body = render('challenge', {
    own,
    title,
    sender: view.sender,
    amount,
    form,
    back: linkable(view.returnUrl),
  });
  return framed({ ...view, page: 'challenge', title, body });
}
