/** What an order is and costs, as the review of a hosted sign-up shows it. */
import { formatsOf } from '../../../../domain/invoices/formats.ts';
import { fill } from '../../../../domain/invoices/words.ts';
import type { PageWords } from '../../../pages/words-english.ts';
import { pageLanguageOf, pageWords } from '../../../pages/words.ts';
import type { PriceBlock, ReviewView } from './views.ts';
import type { SignupWords } from './words.ts';

interface Row {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** Dates and quantities have no currency; a page without a price has none at all. */
const ANY_CURRENCY = 'USD';

const formats = ({ locale, price }: ReviewView) =>
  formatsOf(locale, price?.currency ?? ANY_CURRENCY);

export function factsOf(view: ReviewView, own: SignupWords): Row[] {
  const { date, number } = formats(view);
  const { couponCode } = view;
  return [
    { name: 'plan', label: own.contractCode, value: view.planName },
    { name: 'start', label: own.startDate, value: date(view.startDate) },
    { name: 'quantity', label: own.quantity, value: number(view.quantity) },
    { name: 'period', label: own.billingPeriod, value: own.periods[view.billingPeriod] },
    ...(couponCode === null ? [] : [{ name: 'coupon', label: own.couponCode, value: couponCode }]),
  ];
}

/** A table for each block; a block without lines has nothing to say. */
export function blocksOf(view: ReviewView, own: SignupWords) {
  const { price } = view;
  if (price === null) return [];
  const { initial, recurring } = price;
  return [
    ...tableOf(view, { title: own.initialCharges, block: initial }),
    ...tableOf(view, { title: own.recurringCharges, block: recurring }),
  ];
}

function tableOf(
  view: ReviewView,
  { title, block }: { readonly title: string; readonly block: PriceBlock | null },
) {
  if (block === null || block.lines.length === 0) return [];
  const { amount, number } = formats(view);
  const { times } = pageWords[pageLanguageOf(view.locale)];
  const lines = block.lines.map(({ text, quantity, ...line }) => ({
    text,
    quantity:
      quantity === null || Number(quantity) === 1
        ? null
        : fill(times, { quantity: number(quantity) }),
    amount: amount(line.amount),
  }));
  return [{ title, lines, total: amount(block.total) }];
}

export function sumsOf(view: ReviewView, words: PageWords): Row[] {
  const { price } = view;
  if (price === null) return [];
  const { amount } = formats(view);
  const { total } = price;
  const due = dueOf(view);
  return [
    ...(total === null ? [] : [{ name: 'total', label: words.total, value: amount(total) }]),
    ...(due === null ? [] : [{ name: 'due', label: words.dueToday, value: due }]),
  ];
}

export function dueOf(view: ReviewView): string | null {
  const due = view.price?.dueToday ?? null;
  return due === null ? null : formats(view).amount(due);
}
