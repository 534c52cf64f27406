/** Shows the payment methods on file, and the form that puts a card there. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { type Formats, formatsOf } from '../../../../domain/invoices/formats.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import { autopayPreferences } from '../../../../domain/payments/allocation.ts';
import { fill } from '../../../../domain/text/fill.ts';
import type { PayWords } from '../../../../domain/text/messages.ts';
import { messages, messagesOf } from '../../../../messages/messages.ts';
import { isExhausted } from '../../../../operations/self-service/card-limits.ts';
import {
  type AutopayOrders,
  type FiledMethod,
  readAutopayOrders,
  readMethods,
} from '../../../../operations/payment-methods/methods-on-file.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { readingMore } from '../../../calls/services.ts';
import {
  type ChallengeOnPage,
  gatewayScriptOf,
  shownChallenge,
} from '../../../pages/gateway-fields.ts';
import { type EnteringView, shownNewMethod, takesNewMethods } from '../../../pages/new-method.ts';
import { type FormContext, formContext, formOf, problemsOf } from '../../../pages/fields.ts';
import { type Fields, shownFields } from '../../../pages/form.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { shownAgain } from '../../../pages/typed-text.ts';
import { type FormView, type ShownForm, formProblem } from '../../../pages/view.ts';
import { type AccountView, inAccount, partAddress } from '../page/account.ts';
import { type Visit, accountView, formView, shown } from '../page/visit.ts';
import { expiryText, isUsable, methodName, takenIn } from '../pay/pay-form.ts';

export async function showCards(
  visit: Visit,
  { status, problems, typed }: ShownForm,
): Promise<PageAnswer> {
  const { dependencies, call, account, session, today } = visit;
  const read = await readingMore(dependencies, call.tenant, async (tx) => {
    const methods = await readMethods(tx, account.customerId);
    return {
      methods,
      unpaid: methods.length === 0 ? await readAutopayOrders(tx, account.customerId) : null,
      isExhausted: await isExhausted(tx, session.id),
    };
  });
  const { methods } = read;
  const taken = methods.map(({ preference }) => preference);
  const free = autopayPreferences.find((preference) => !taken.includes(preference)) ?? 1;
  const isOver = read.isExhausted && problems.length === 0;
  const all = isOver ? [formProblem('declines.session')] : problems;
  const html = renderCards({
    ...accountView(visit),
    form: formView(visit, { form: 'card', problems: all, action: partAddress(visit.home, 'card') }),
    changes: changesForm(visit, methods),
    today,
    methods,
    autopayOrders: read.unpaid,
    done: typed === undefined && problems.length === 0 ? doneOf(call.parameters) : null,
    takesCards: !read.isExhausted && takesNewMethods(call.tenant),
    preference: shownAgain(typed?.get('preference') ?? String(free)),
    cardholderName: shownAgain(typed?.get('cardholderName')),
    tenant: call.tenant,
    currency: call.tenant.currency,
    taken: takenIn(visit, null),
    typed,
  });
  return { ...shown(visit, status, html), ...gatewayScriptOf(call.tenant) };
}

/** The gateway asks for the payer, by its script, before the card is on file. */
export function showCardChallenge(visit: Visit, challenge: ChallengeOnPage): PageAnswer {
  const view = accountView(visit);
  const words = messagesOf(view.locale).page.gateway;
  const heading = words.challenge;
  const body = render('authenticate', { ...shownChallenge(words, challenge), heading });
  const html = inAccount(view, { part: 'card', page: 'card', title: heading, body });
  return { ...shown(visit, 200, html), ...gatewayScriptOf(challenge.tenant) };
}

/** The form of both changes; it is of the methods that the page shows. */
const changesForm = (visit: Visit, methods: readonly FiledMethod[]): FormView =>
  formView(visit, {
    form: 'methods',
    shown: idsOf(methods),
    action: `${partAddress(visit.home, 'card')}/order`,
  });

export const idsOf = (methods: readonly FiledMethod[]): string =>
  methods.map(({ id }) => id).join(' ');

/** What the page says of a change once it is made. */
export type MethodChange = 'removed' | 'reordered';

type Done = 'saved' | MethodChange;

function doneOf({ saved, changed }: Visit['call']['parameters']): Done | null {
  if (saved !== undefined) return 'saved';
  return changed === 'removed' || changed === 'reordered' ? changed : null;
}

/* Renders the page of the payment methods on file. */

export interface CardsView extends AccountView, EnteringView {
  readonly form: FormView;
  readonly today: IsoDate;
  readonly methods: readonly FiledMethod[];
  /** The form of those that are on file. */
  readonly changes: FormView;
  /** Those that no longer pay themselves; null while a method is on file. */
  readonly autopayOrders: AutopayOrders | null;
  /** What has just been done. */
  readonly done: Done | null;
  /** False after too many declines of the session. */
  readonly takesCards: boolean;
  /** Where the card goes, as it was typed. */
  readonly preference: string;
  /** That of the tenant. */
  readonly currency: string;
}

const render = templatesOf(import.meta.dirname);

export function renderCards(view: CardsView): string {
  const context = formContext(view);
  const { language, words } = context;
  const texts = messages[language];
  const own = texts.pay;
  const { today, methods, done, takesCards, changes, sender: creditor } = view;
  const place = placeOf(view, context);
  const entering = { ...view, creditor, amount: null, isRequired: true, isSaved: true };
  const method = shownNewMethod(context, entering);
  const problems = problemsOf(context, [place, ...method.fields]);
  const title = own.cardTitle;
  const body = render('filed', {
    own,
    words,
    title,
    problems,
    place,
    method,
    takesNone: takesNewMethods(view.tenant) ? null : words.problem['newMethod.none'],
    message: done === null ? null : own[done],
    unpaid: unpaidText(view.autopayOrders, own),
    changes: { order: changes.action, key: changes.key },
    takesCards,
    step: null,
    requiredNote: null,
    form: formOf(context, { today }),
    methods: methods.map((method) => ({
      name: methodName(method, texts),
      notes: notesOf(method, own, formatsOf(figuresLocaleOf(view.locale), ANY_CURRENCY)),
      ...changesOf(method, view, { name: methodName(method, texts), own }),
      expiry: expiryText(method, own, today),
      isExpired: !isUsable(method, today),
      used: own.used[method.preference],
    })),
  });
  return inAccount(view, {
    part: 'card',
    page: 'card',
    title,
    isFaulty: problems.length > 0,
    body,
  });
}

const ANY_CURRENCY = 'USD';

/** Its mandate, and the day on which its gateway has changed it. */
function notesOf(
  { mandate, gatewayUpdated: updated }: FiledMethod,
  own: PayWords,
  { date }: Pick<Formats, 'date'>,
): readonly string[] {
  return [
    ...(mandate === null ? [] : [fill(own.mandate, { reference: mandate })]),
    ...(updated === null ? [] : [fill(own.gatewayUpdated, { date: date(updated) })]),
  ];
}

/** What the buttons beside a method do, and are called by. */
function changesOf(
  { preference }: FiledMethod,
  { methods, home }: CardsView,
  { name: method, own }: { readonly name: string; readonly own: PayWords },
) {
  const others = methods.flatMap((each) => (each.preference === preference ? [] : each.preference));
  const isFirst = methods[0]?.preference === preference;
  return {
    order: isFirst ? null : [preference, ...others].join(),
    useFirst: fill(own.changeOf, { action: own.useFirst, method }),
    removal: `${partAddress(home, 'card')}/remove?preference=${preference}`,
    remove: fill(own.changeOf, { action: own.remove, method }),
  };
}

/** Null if no order waits for a method. */
function unpaidText(waiting: AutopayOrders | null, own: PayWords): string | null {
  if (waiting === null || waiting.count === 0) return null;
  const { count, numbers } = waiting;
  const orders = numbers.join(', ');
  return fill(own.unpaid, { orders: count > numbers.length ? `${orders} …` : orders });
}

const preferenceField = {
  preference: { label: 'preference', autocomplete: 'off', isRequired: true },
} as const satisfies Fields;

/** Each place says which method a card replaces there. */
function placeOf({ methods, preference: value }: CardsView, context: FormContext) {
  const texts = messages[context.language];
  const own = texts.pay;
  const options = autopayPreferences.map((preference) => {
    const place = own.places[preference];
    const method = methods.find((each) => each.preference === preference);
    const name = method && methodName(method, texts);
    const text = name === undefined ? place : fill(own.placeTaken, { place, method: name });
    return { value: String(preference), text };
  });
  return shownFields(context, preferenceField, {
    values: { preference: value },
    looks: { preference: { options } },
  }).preference;
}
