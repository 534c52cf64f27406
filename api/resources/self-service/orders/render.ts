/** Renders the list of a customer's orders, the end of one, and why something is not possible. */
import { compare } from '../../../../domain/money/money.ts';
import { fill } from '../../../../domain/text/fill.ts';
import { languageOf } from '../../../../domain/text/language.ts';
import type { Messages, OrderWords, PageWords } from '../../../../domain/text/messages.ts';
import { messages, messagesOf } from '../../../../messages/messages.ts';
import type { ListedOrder, OwnOrder } from '../../../../operations/self-service/orders-own.ts';
import { formContext, formOf, problemsOf } from '../../../pages/fields.ts';
import { shownFields, type Fields } from '../../../pages/form.ts';
import { linkable } from '../../../pages/frame.ts';
import { couponText, runningPriceText, type PriceTexts } from '../../../pages/plan-price.ts';
import { templatesOf } from '../../../pages/templates.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import { type AccountView, inAccount, partAddress } from '../page/account.ts';
import { type FormatsFor, formatsIn } from '../page/formats.ts';
import { permitted } from './choice.ts';
import type { CancelView, KeepView, OfferedEnd, OrdersView, RefusalView } from './views.ts';

const render = templatesOf(import.meta.dirname);

export interface Fact {
  /** For the style sheet. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

export interface OrderTexts {
  readonly own: OrderWords;
  readonly formats: FormatsFor;
  readonly words: PageWords;
}

export function textsOf({ locale }: Pick<AccountView, 'locale'>): OrderTexts {
  const formats = formatsIn(figuresLocaleOf(locale));
  const language = languageOf(locale);
  return { own: messages[language].order, formats, words: messages[language].page };
}

export function renderOrders(view: OrdersView): string {
  const texts = textsOf(view);
  const { own } = texts;
  const { orders, hasMore, done, switches, home } = view;
  const open = orders.filter(isOpen);
  const body = render('orders', {
    own,
    done: done === null ? null : done === 'end' ? own.cancel.doneLater : own[done].done,
    periodNote: open.some(({ price }) => price !== null) ? own.runningNote : null,
    orders: open.map((order) => orderCard(order, view, texts)),
    ended: orders.filter((order) => !isOpen(order)).map((order) => endedRow(order, texts)),
    hasMore,
    newAddress: switches.editOrderOptions.includes('New')
      ? linkable(`${partAddress(home, 'orders')}/new`)
      : null,
  });
  return inAccount(view, { part: 'orders', page: 'orders', title: own.title, body });
}

const isOpen = ({ status }: OwnOrder): boolean =>
  status === 'Active' || status === 'Suspended' || status === 'Provisioning';

function orderCard(order: ListedOrder, view: OrdersView, texts: OrderTexts) {
  const { id, planName, status, price, currency } = order;
  const { own } = texts;
  const pricing = pricingTexts(texts, currency);
  const address = `${partAddress(view.home, 'orders')}/${id}`;
  return {
    id,
    title: planName,
    number: String(order.orderNumber),
    status: own.status[status],
    isAlarm: status === 'Suspended',
    price: price === null ? null : runningPriceText(price, pricing),
    facts: [
      ...factsOf(order, texts),
      ...trialFact(order, view, texts),
      ...couponFact(order, pricing, messagesOf(view.locale)),
    ],
    actions: permitted(order, view.switches, view.today).map((action) => ({
      address: linkable(`${address}/${action}`),
      text: own[action].link,
      // A reader of the screen hears which subscription is meant.
      of: `${planName}, ${own.number} ${order.orderNumber}`,
    })),
  };
}

function trialFact(
  { trialEndDate, currency }: ListedOrder,
  { today }: OrdersView,
  { own, formats }: OrderTexts,
): Fact[] {
  if (trialEndDate === null || trialEndDate < today) return [];
  return [{ name: 'trial', label: own.trial, value: formats(currency).date(trialEndDate) }];
}

function couponFact({ price }: ListedOrder, pricing: PriceTexts, { field }: Messages): Fact[] {
  const value = price === null ? null : couponText(price, pricing);
  return value === null ? [] : [{ name: 'coupon', label: field.coupon, value }];
}

export function factsOf(order: OwnOrder, { own, formats }: OrderTexts): Fact[] {
  const { date } = formats(order.currency);
  const { startDate, endDate, isAutoRenew, nextBillOn, changeOn, changesTo, replaces } = order;
  const fact = (name: string, label: string, value: string | null): Fact[] =>
    value === null ? [] : [{ name, label, value }];
  const change =
    changeOn === null ? null : fill(own.changesTo, { plan: changesTo ?? '', date: date(changeOn) });
  const isPlanned = order.status === 'Provisioning';
  return [
    ...fact('number', own.number, String(order.orderNumber)),
    ...fact('start', isPlanned ? own.starts : own.since, date(startDate)),
    ...fact('end', isAutoRenew ? own.renews : own.ends, endDate === null ? null : date(endDate)),
    ...fact('next', own.nextBill, nextBillOn === null ? null : date(nextBillOn)),
    ...fact('change', own.change, change),
    ...fact(
      'replaces',
      own.change,
      replaces === null ? null : fill(own.replaces, { number: String(replaces) }),
    ),
  ];
}

function endedRow(order: ListedOrder, { own, formats }: OrderTexts) {
  const { planName, orderNumber, status, startDate, endDate, currency } = order;
  const { period } = formats(currency);
  const hasBegun = endDate !== null && endDate >= startDate;
  return {
    title: planName,
    number: String(orderNumber),
    days: hasBegun ? period(startDate, endDate) : '–',
    status: own.status[status],
  };
}

export const pricingTexts = ({ words, formats }: OrderTexts, currency: string): PriceTexts => ({
  words,
  formats: formats(currency),
});

/** What a page asks of the end of an order, beside when. */
export const endFields = {
  reason: { label: 'cancelReason', autocomplete: 'off', maxLength: 255 },
} as const satisfies Fields;

export function renderCancel(view: CancelView): string {
  const texts = textsOf(view);
  const { own } = texts;
  const { form, own: order, home, offered, chosen, reason } = view;
  const context = formContext(view);
  const field =
    reason === null ? null : shownFields(context, endFields, { values: { reason } }).reason;
  const problems = problemsOf(context, field === null ? [] : [field]);
  const { title, submit, keep } = own.cancel;
  const isChoice = offered.length > 1;
  const body = render('cancel', {
    own,
    ...headOf(view, title, problems),
    plan: order.planName,
    // It has none once it is cancelled.
    facts: factsOf({ ...order, nextBillOn: null }, texts),
    credit: isChoice || chosen !== 'now' ? null : creditText(view, texts),
    notes: isChoice ? [] : notesOf(view, chosen, texts),
    ends: isChoice ? offered.map((when) => endOf(view, when, texts)) : null,
    reason: field,
    form: formOf({ ...context, form }),
    submit,
    isGrave: true,
    back: linkable(partAddress(home, 'orders')),
    backText: keep,
  });
  const isFaulty = problems.length > 0;
  return inAccount(view, { part: 'orders', page: 'order-cancel', title, isFaulty, body });
}

/** One of several ends, with what it means. */
function endOf(view: CancelView, when: OfferedEnd, texts: OrderTexts) {
  const { cancel } = texts.own;
  const { date } = texts.formats(view.own.currency);
  const credit = when === 'now' ? creditText(view, texts) : null;
  const notes = notesOf(view, when, texts);
  const onTheDay = view.isPeriodEnd ? cancel.periodEnd : cancel.termEnd;
  return {
    value: when,
    text: when === 'now' ? cancel.now : fill(onTheDay, { date: date(view.endsOn) }),
    note: (credit === null ? notes : [...notes, `${cancel.credit}: ${credit}`]).join(' '),
    isChosen: when === view.chosen,
  };
}

function creditText({ credit, own: { currency } }: CancelView, { formats }: OrderTexts) {
  return compare(credit, '0') > 0 ? formats(currency).amount(credit) : null;
}

function notesOf(view: CancelView, when: OfferedEnd, texts: OrderTexts): string[] {
  const { own: order, credit, isBilledLater, today, endsOn } = view;
  const { own, formats } = texts;
  const { cancel } = own;
  const { date } = formats(order.currency);
  const changed = order.changesTo === null ? [] : [fill(cancel.changed, { plan: order.changesTo })];
  if (when === 'termEnd') return [fill(cancel.endsLater, { date: date(endsOn) }), ...changed];
  if (order.replaces !== null) return [fill(cancel.pending, { number: String(order.replaces) })];
  if (order.startDate > today) return [cancel.never];
  return [
    fill(cancel.ends, { date: date(today) }),
    ...changed,
    ...(compare(credit, '0') > 0 ? [] : [cancel.noCredit]),
    ...(isBilledLater ? [cancel.later] : []),
  ];
}

export function renderKeep(view: KeepView): string {
  const texts = textsOf(view);
  const { own } = texts;
  const { form, own: order, home } = view;
  const context = formContext(view);
  const { title, about, submit } = own.keep;
  const { date } = texts.formats(order.currency);
  const body = render('cancel', {
    own,
    ...headOf(view, title, []),
    plan: order.planName,
    facts: factsOf(order, texts),
    credit: null,
    notes: [fill(about, { date: order.endDate === null ? '' : date(order.endDate) })],
    ends: null,
    reason: null,
    form: formOf({ ...context, form }),
    submit,
    isGrave: false,
    back: linkable(partAddress(home, 'orders')),
    backText: own.back,
  });
  return inAccount(view, { part: 'orders', page: 'order-keep', title, body });
}

export function renderRefusal(view: RefusalView): string {
  const { own } = textsOf(view);
  const { action, reason, home } = view;
  const isNone = reason === 'none' && action !== 'cancel';
  const title = isNone ? own[action].title : own.sorry;
  const body = render('refusal', {
    own,
    title,
    text: isNone ? own[action].none : own.refusal[reason === 'none' ? 'other' : reason],
    back: linkable(partAddress(home, 'orders')),
  });
  return inAccount(view, { part: 'orders', page: 'order-refused', title, body });
}

export function headOf(
  { locale }: AccountView,
  title: string,
  problems: ReturnType<typeof problemsOf>,
) {
  const words = messagesOf(locale).page;
  return { title, problems, words, step: null, requiredNote: null, triesLeft: null };
}
