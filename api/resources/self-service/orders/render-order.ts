/** Renders what can be ordered or changed, and the price of a choice. */
import type { IsoDate } from '../../../../domain/calendar/calendar.ts';
import { compare, negate } from '../../../../domain/money/money.ts';
import { fill } from '../../../../domain/text/fill.ts';
import { messagesOf } from '../../../../messages/messages.ts';
import {
  checkboxOf,
  formContext,
  formOf,
  problemsOf,
  type FormContext,
} from '../../../pages/fields.ts';
import { shownFields, type Fields } from '../../../pages/form.ts';
import { linkable } from '../../../pages/frame.ts';
import { lastingTexts } from '../../../pages/lasting.ts';
import { orderFields } from '../../../pages/order-fields.ts';
import {
  couponText,
  planPriceText,
  runningPriceText,
  withTrial,
} from '../../../pages/plan-price.ts';
import { writtenQuantity } from '../../../pages/quantity.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { inAccount, partAddress } from '../page/account.ts';
import { allowsAction } from './choice.ts';
import { headOf, pricingTexts, textsOf, type Fact, type OrderTexts } from './render.ts';
import type { ChooseView, ReviewLine, ReviewTable, ReviewView } from './views.ts';

const render = templatesOf(import.meta.dirname);

export function renderChoose(view: ChooseView): string {
  const texts = textsOf(view);
  const { own } = texts;
  const { ordering, action, home } = view;
  const context = formContext({ ...view, form: { action, key: '', problems: view.problems } });
  const fields = fieldsOf(view, texts, context);
  const shown = Object.values(fields).filter((field) => field !== null);
  const problems = problemsOf(context, shown);
  const { title } = own[ordering];
  const body = render('choose', {
    own,
    ...headOf(view, title, problems),
    about: aboutText(view, texts, view.effectiveDate),
    now: nowText(view, texts),
    action: linkable(action),
    ...fields,
    back: linkable(partAddress(home, 'orders')),
  });
  const page = `order-${ordering}`;
  return inAccount(view, { part: 'orders', page, title, isFaulty: problems.length > 0, body });
}

const choiceFields = {
  ...orderFields,
  contractCode: { ...orderFields.contractCode, label: 'contractChoice' },
  couponCode: { ...orderFields.couponCode, label: 'coupon' },
} as const satisfies Fields;

function fieldsOf(view: ChooseView, texts: OrderTexts, context: FormContext) {
  const { own } = texts;
  const { typed, plans, currency, ordering, hasMethod } = view;
  const pricing = pricingTexts(texts, currency);
  const isNew = ordering === 'new';
  const options = plans.map(({ contractCode, name }) => ({ value: contractCode, text: name }));
  const { contractCode, quantity, couponCode } = shownFields(context, choiceFields, {
    values: { quantity: typed.quantity, couponCode: typed.couponCode },
    looks: { contractCode: { options } },
    // All but the coupon are required.
    isUnmarked: true,
  });
  return {
    plan: {
      ...contractCode,
      chosen: typed.contractCode,
      note: own.periodNote,
      options: plans.map(({ contractCode, name, price, isCurrent, hasQuantity, trialEndDate }) => ({
        value: contractCode,
        text: name,
        note: isCurrent ? `${own.now}, ${own.another}` : null,
        price: withTrial(planPriceText(price, pricing), trialEndDate, pricing),
        hasQuantity,
      })),
    },
    quantity: plans.some(({ hasQuantity }) => hasQuantity) ? quantity : null,
    coupon: isNew ? couponCode : null,
    autoPay:
      isNew && hasMethod
        ? checkboxOf(context, {
            name: 'isAutoPay',
            label: own.isAutoPay,
            isTicked: typed.isAutoPay,
          })
        : null,
  };
}

/** A new order begins today: its text names no day. */
function aboutText(
  { ordering, currency }: Pick<ChooseView, 'ordering' | 'currency'>,
  { own, formats }: OrderTexts,
  on: IsoDate | null,
): string {
  const { about } = own[ordering];
  if (typeof about === 'string') return about;
  return fill(about, { date: on === null ? '' : formats(currency).date(on) });
}

function nowText({ now, currency }: Pick<ChooseView, 'now' | 'currency'>, texts: OrderTexts) {
  if (now === null) return null;
  const { planName, price } = now;
  const pricing = pricingTexts(texts, currency);
  const coupon = couponText(price, pricing);
  const parts = [planName, runningPriceText(price, pricing), ...(coupon === null ? [] : [coupon])];
  return parts.join(', ');
}

export function renderReview(view: ReviewView): string {
  const texts = textsOf(view);
  const { own } = texts;
  const { ordering, form, startDate, locale } = view;
  // As the page reads it.
  const choice = { ...view.choice, quantity: writtenQuantity(view.choice.quantity, locale) };
  const context = formContext(view);
  const problems = problemsOf(context, []);
  const title = own.reviewTitle;
  const body = render('review', {
    own,
    ...headOf(view, title, problems),
    heading: own[ordering].title,
    about: aboutText(view, texts, startDate),
    facts: factsOf(view, texts),
    periodNote: view.now === null ? null : own.periodNote,
    untaxed: view.isUntaxed ? texts.words.untaxed : null,
    blocks: view.tables.map((table) => tableOf(table, view, texts)),
    sums: sumsOf(view, texts),
    lasting: lastingOf(view, texts),
    form: formOf({ ...context, form }),
    choice,
    submit: own[ordering].submit,
    change: linkable(choiceAddress(form, choice)),
  });
  const isFaulty = problems.length > 0;
  return inAccount(view, { part: 'orders', page: 'order-review', title, isFaulty, body });
}

/** The form again with what was chosen. */
function choiceAddress(
  form: ReviewView['form'],
  { contractCode, quantity, couponCode, isAutoPay }: ReviewView['choice'],
): string {
  const query = new URLSearchParams({ contractCode, quantity, step: 'choose' });
  if (couponCode !== '') query.set('couponCode', couponCode);
  if (isAutoPay) query.set('isAutoPay', 'true');
  return `${form.action.replace(/\?.*/, '')}?${query.toString()}`;
}

function factsOf(view: ReviewView, texts: OrderTexts): Fact[] {
  const { own, formats } = texts;
  const { planName, currency, startDate, couponCode, choice } = view;
  const { field } = messagesOf(view.locale);
  const { date, number } = formats(currency);
  const now = nowText(view, texts);
  const fact = (name: string, label: string, value: string | null): Fact[] =>
    value === null ? [] : [{ name, label, value }];
  return [
    ...fact('now', own.before, now),
    ...fact('plan', now === null ? field.contractCode : own.after, planName),
    ...fact('quantity', field.quantity, view.hasQuantity ? number(choice.quantity) : null),
    ...fact('start', own.starts, date(startDate)),
    ...fact('coupon', field.coupon, couponCode),
    ...fact('pay', own.autoPay, view.isAutoPay ? own.automatic : null),
  ];
}

function tableOf(table: ReviewTable, { locale, tables }: ReviewView, texts: OrderTexts) {
  const { own, formats } = texts;
  const { is, on, currency } = table;
  const { amount, date, number, period } = formats(currency);
  const { times } = messagesOf(locale).page;
  const lineOf = ({ text, days, quantity, ...line }: ReviewLine) => ({
    text: days === null ? text : `${text}, ${period(days.from, days.to)}`,
    quantity:
      quantity === null || Number(quantity) === 1
        ? null
        : fill(times, { quantity: number(quantity) }),
    amount: amount(line.amount),
  });
  return {
    title: on === null ? own[is] : fill(own.invoiceOn, { date: date(on) }),
    lines: table.lines.map(lineOf),
    // The sum of the only invoice is what is due.
    subtotal: on === null && tables.length === 1 ? null : amount(table.total),
  };
}

function lastingOf(
  { lasting, currency, sender, switches }: ReviewView,
  { formats, words }: OrderTexts,
): string[] {
  const canCancel = allowsAction(switches, 'cancel');
  const about = { words, formats: formats(currency), showsPrices: true, sender, canCancel };
  return lastingTexts(lasting, about);
}

/** What is billed today may be due later. */
function sumsOf({ due }: ReviewView, { own, formats }: OrderTexts): Fact[] {
  return due.flatMap(({ currency, amount: total }): Fact[] => {
    const { amount } = formats(currency);
    const isCredit = compare(total, '0') < 0;
    return [
      { name: 'due', label: own.billed, value: amount(isCredit ? '0' : total) },
      ...(isCredit ? [{ name: 'credit', label: own.credited, value: amount(negate(total)) }] : []),
    ];
  });
}
