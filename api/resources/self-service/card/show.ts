/** Shows the payment methods on file, and the form that puts a card there. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { autopayPreferences } from '../../../../domain/payments/allocation.ts';
import { fill } from '../../../../domain/text/fill.ts';
import { messages } from '../../../../messages/messages.ts';
import { isExhausted } from '../../../../operations/self-service/card-limits.ts';
import { type FiledMethod, readMethods } from '../../../../operations/self-service/account.ts';
import type { PageAnswer } from '../../../calls/answer.ts';
import { readingMore } from '../../../calls/services.ts';
import { shownCard } from '../../../pages/card-form.ts';
import { type FormContext, formContext, formOf, problemsOf } from '../../../pages/fields.ts';
import { type Fields, shownFields } from '../../../pages/form.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { shownAgain } from '../../../pages/typed-text.ts';
import { type FormView, type ShownForm, formProblem } from '../../../pages/view.ts';
import { type AccountView, inAccount } from '../page/account.ts';
import { type Visit, accountView, formView, shown } from '../page/visit.ts';
import { expiryText, isUsable, methodName } from '../pay/pay-form.ts';

export async function showCards(
  visit: Visit,
  { status, problems, typed }: ShownForm,
): Promise<PageAnswer> {
  const { dependencies, call, account, session, today } = visit;
  const read = await readingMore(dependencies, call.tenant, async (tx) => ({
    methods: await readMethods(tx, account.customerId),
    isExhausted: await isExhausted(tx, session.id),
  }));
  const { methods } = read;
  const taken = methods.map(({ preference }) => preference);
  const free = autopayPreferences.find((preference) => !taken.includes(preference)) ?? 1;
  const isOver = read.isExhausted && problems.length === 0;
  const all = isOver ? [formProblem('declines.session')] : problems;
  const html = renderCards({
    ...accountView(visit),
    form: formView(visit, { form: 'card', problems: all }),
    today,
    methods,
    isSaved: call.parameters['saved'] !== undefined && typed === undefined,
    takesCards: !read.isExhausted,
    preference: shownAgain(typed?.get('preference') ?? String(free)),
    cardholderName: shownAgain(typed?.get('cardholderName')),
  });
  return shown(visit, status, html);
}

/* Renders the page of the payment methods on file. */

export interface CardsView extends AccountView {
  readonly form: FormView;
  readonly today: IsoDate;
  readonly methods: readonly FiledMethod[];
  /** A card has just been stored. */
  readonly isSaved: boolean;
  /** False after too many declines of the session. */
  readonly takesCards: boolean;
  /** Where the card goes, as it was typed. */
  readonly preference: string;
  readonly cardholderName: string;
}

const render = templatesOf(import.meta.dirname);

export function renderCards(view: CardsView): string {
  const context = formContext(view);
  const { language, words } = context;
  const texts = messages[language];
  const own = texts.pay;
  const { today, methods, cardholderName, isSaved, takesCards } = view;
  const place = placeOf(view, context);
  const card = shownCard(context, { today, cardholderName, isRequired: true });
  const problems = problemsOf(context, [place, ...Object.values(card)]);
  const title = own.cardTitle;
  const body = render('filed', {
    own,
    words,
    title,
    problems,
    place,
    card,
    isSaved,
    takesCards,
    step: null,
    requiredNote: null,
    form: formOf(context, { today }),
    methods: methods.map((method) => ({
      name: methodName(method, texts),
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
