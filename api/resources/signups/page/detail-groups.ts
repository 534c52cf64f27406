/** Shows the fields of step 1 of a hosted sign-up, in groups. */
import { formatsOf } from '../../../../domain/invoices/formats.ts';
import { compare } from '../../../../domain/money/money.ts';
import type { PlanPrice } from '../../../../domain/self-service/running-price.ts';
import type { DisplayAmount } from '../../../../domain/signups/signup.ts';
import { fill } from '../../../../domain/text/fill.ts';
import type { SignupWords } from '../../../../domain/text/messages.ts';
import { messages } from '../../../../messages/messages.ts';
import { asWritten, contactFields } from '../../../pages/contact-fields.ts';
import type { FormContext, Option } from '../../../pages/fields.ts';
import { shownFields, type Fields, type ShownField } from '../../../pages/form.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import { orderFields } from '../../../pages/order-fields.ts';
import { placeFields, placeLooks, shownState } from '../../../pages/place.ts';
import { planPriceText, withTrial, type PriceTexts } from '../../../pages/plan-price.ts';
import { loginFields, streetFields } from './detail-fields.ts';
import type { DetailsView } from './views.ts';

interface Group {
  readonly name: string;
  readonly title: string;
  readonly note: string | null;
  /** A list of plans before the fields. */
  readonly plans: ShownPlans | null;
  readonly fields: readonly ShownField[];
}

interface ShownPlans extends Omit<ShownField, 'options'> {
  readonly options: readonly PlanOption[];
  readonly chosen: string;
  readonly note: string | null;
}

interface PlanOption extends Option {
  readonly note: null;
  readonly price: string | null;
  readonly hasQuantity: boolean;
}

/** More are chosen from a list that opens. */
const PLANS_SHOWN_MAX = 12;

/** The groups that the page has: what is bought, then who buys it; what the link hides is not on it. */
export function groupsOf(view: DetailsView, own: SignupWords, context: FormContext): Group[] {
  const { customer, asksLogin, order, asked } = view;
  const { language } = context;
  const titles = messages[language].field;
  const state = customer === null ? '' : shownState(customer);
  const values = { ...customer, state };
  const looks = placeLooks(context, asked, customer ?? {});
  const group = (name: string, title: string, fields: Fields): Group => ({
    name,
    title,
    note: null,
    plans: null,
    fields: Object.values(shownFields(context, fields, { values, looks })),
  });
  const address = asWritten({ ...placeFields, ...streetFields }, language);
  return [
    ...(order === null ? [] : [orderGroup(view, order, own, context)]),
    ...(customer === null
      ? []
      : [
          group('contact', titles.contactGroup, contactFields),
          group('address', titles.addressGroup, address),
        ]),
    ...(customer !== null && asksLogin
      ? [{ ...group('login', own.loginGroup, loginFields), note: own.loginNote }]
      : []),
  ];
}

function orderGroup(
  view: DetailsView,
  order: NonNullable<DetailsView['order']>,
  own: SignupWords,
  context: FormContext,
): Group {
  const options = planOptions(view, context);
  const [first, ...further] = options;
  // A list of one plan needs no choice.
  const chosen = further.length === 0 ? (first?.value ?? '') : (order.contractCode ?? '');
  const shown = shownFields(context, orderFields, {
    values: { ...order, contractCode: chosen },
    looks: { contractCode: { options: [...listed(options, context)] } },
  });
  const { contractCode, quantity, ...others } = shown;
  const fields = options.some(({ hasQuantity }) => hasQuantity) ? { quantity, ...others } : others;
  const hasList = options.length > PLANS_SHOWN_MAX;
  const note = options.some(({ price }) => price !== null) ? own.pricesNote : null;
  return {
    name: 'order',
    title: own.orderGroup,
    note: null,
    plans: hasList ? null : { ...contractCode, options, chosen, note },
    fields: Object.values(hasList ? { contractCode, ...fields } : fields),
  };
}

/** In one line each, after a text for none. */
function* listed(options: readonly PlanOption[], { words }: FormContext): Generator<Option> {
  yield { value: '', text: words.choose };
  for (const { value, text, price } of options) {
    yield {
      value,
      text: price === null ? text : fill(words.labelled, { label: text, text: price }),
    };
  }
}

/** With as much of their prices as the link allows. */
function planOptions(
  { plans, currency, displayAmount, locale }: DetailsView,
  { words }: FormContext,
): PlanOption[] {
  const texts = { words, formats: formatsOf(figuresLocaleOf(locale), currency) };
  return plans.map(({ contractCode, name, price, hasQuantity, trialEndDate }) => {
    const text =
      price === null || displayAmount === 'none' ? null : priceText(price, displayAmount, texts);
    const shown = withTrial(text, trialEndDate, texts);
    return { value: contractCode, text: name, note: null, price: shown, hasQuantity };
  });
}

function priceText(
  price: PlanPrice,
  displayAmount: DisplayAmount,
  texts: PriceTexts,
): string | null {
  if (displayAmount === 'allCharges') return planPriceText(price, texts);
  const { once } = price;
  return compare(once, '0') === 0
    ? null
    : planPriceText({ ...price, amount: '0', hasUsage: false }, texts);
}
