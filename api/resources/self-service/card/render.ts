/** Renders the page of the payment methods on file. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { autopayPreferences } from '../../../../domain/payments/allocation.ts';
import { fill } from '../../../../domain/text/fill.ts';
import type { PayWords } from '../../../../domain/text/messages.ts';
import { messages } from '../../../../messages/messages.ts';
import type { FiledMethod } from '../../../../operations/self-service/methods.ts';
import { shownCard } from '../../../pages/card-form.ts';
import { formContext, formOf, problemsOf, type FormContext } from '../../../pages/fields.ts';
import { shownFields, type Fields } from '../../../pages/form.ts';
import { templatesOf } from '../../../pages/templates.ts';
import type { FormView } from '../../../pages/view.ts';
import { inAccount, type AccountView } from '../page/account.ts';
import { expiryText, methodName } from '../pay/method-text.ts';
import { isUsable } from '../pay/pay-form.ts';

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
  const own = messages[language].pay;
  const { today, methods, cardholderName, isSaved, takesCards } = view;
  const place = placeOf(view, own, context);
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
      name: methodName(method, own),
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
function placeOf({ methods, preference: value }: CardsView, own: PayWords, context: FormContext) {
  const options = autopayPreferences.map((preference) => {
    const place = own.places[preference];
    const method = methods.find((each) => each.preference === preference);
    const name = method && methodName(method, own);
    const text = name === undefined ? place : fill(own.placeTaken, { place, method: name });
    return { value: String(preference), text };
  });
  return shownFields(context, preferenceField, {
    values: { preference: value },
    looks: { preference: { options } },
  }).preference;
}
