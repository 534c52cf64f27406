/** What an order is and costs, as the review of a hosted sign-up shows it. */
import { formatsOf, type Formats } from '../../../../domain/invoices/formats.ts';
import { fill, type Text } from '../../../../domain/text/fill.ts';
import type { SignupWords } from '../../../../domain/text/messages.ts';
import { messagesOf } from '../../../../messages/messages.ts';
import { lastingTexts } from '../../../pages/lasting.ts';
import { figuresLocaleOf } from '../../../pages/language.ts';
import type { OrderView, PriceBlock, PriceView } from './views.ts';

interface Row {
  /** For the style sheet. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

interface Table {
  readonly title: string;
  readonly lines: readonly { text: string; quantity: string | null; amount: string }[];
  readonly subtotal: string | null;
}

interface Summary {
  readonly facts: readonly Row[];
  readonly blocks: readonly Table[];
  readonly sums: readonly Row[];
  /** Said where the tenant taxes, and no rate matches. */
  readonly untaxed: string | null;
  /** What the button charges; null for nothing, and where the link shows no price. */
  readonly due: string | null;
  /** What goes on once that is paid. */
  readonly lasting: readonly string[];
}

export function summaryOf(view: OrderView, own: SignupWords): Summary {
  const { price, isCardRequired, sender } = view;
  const formats = formatsOf(figuresLocaleOf(view.locale), view.currency);
  const facts = factsOf(view, own, formats);
  const words = messagesOf(view.locale).page;
  // With one-time charges alone no price of a period is shown.
  const showsPrices = price?.recurring != null;
  const about = { words, formats, showsPrices, sender, canCancel: false };
  const lasting = lastingTexts(view.lasting, about);
  if (price === null) return { facts, blocks: [], sums: [], untaxed: null, due: null, lasting };
  const sum = (name: string, label: string, amount: string | null): Row[] =>
    amount === null ? [] : [{ name, label, value: formats.amount(amount) }];
  const due = sum('due', words.dueToday, price.dueToday);
  return {
    facts,
    blocks: tablesOf(price, { own, formats, times: words.times }),
    sums: [...sum('total', words.total, price.total), ...due],
    untaxed: view.isUntaxed ? words.untaxed : null,
    due: isCardRequired ? (due[0]?.value ?? null) : null,
    lasting,
  };
}

function factsOf(view: OrderView, own: SignupWords, { date, number }: Formats): Row[] {
  const { quantity, couponCode } = view;
  const { field } = messagesOf(view.locale);
  return [
    { name: 'plan', label: field.contractCode, value: view.planName },
    { name: 'start', label: own.startDate, value: date(view.startDate) },
    ...(quantity === null
      ? []
      : [{ name: 'quantity', label: field.quantity, value: number(quantity) }]),
    { name: 'period', label: own.billingPeriod, value: own.periods[view.billingPeriod] },
    ...(couponCode === null
      ? []
      : [{ name: 'coupon', label: field.couponCode, value: couponCode }]),
  ];
}

interface Texts {
  readonly own: SignupWords;
  readonly formats: Formats;
  /** A quantity before the text of its charge. */
  readonly times: Text<'quantity'>;
}

/** A table for each block; a block without lines has nothing to say. */
function tablesOf({ initial, recurring, total }: PriceView, { own, ...texts }: Texts): Table[] {
  const titled: readonly (readonly [string, PriceBlock | null])[] = [
    [own.initialCharges, initial],
    [own.recurringCharges, recurring],
  ];
  const tables = titled.flatMap(([title, block]) =>
    block === null || block.lines.length === 0 ? [] : [{ title, ...rowsOf(block, texts) }],
  );
  // The sum of the only block is the total below it.
  const isSaidBelow = tables.length === 1 && total !== null;
  return isSaidBelow ? tables.map((table) => ({ ...table, subtotal: null })) : tables;
}

function rowsOf(block: PriceBlock, { formats, times }: Omit<Texts, 'own'>) {
  const { amount, number } = formats;
  const lines = block.lines.map(({ text, quantity, ...line }) => ({
    text,
    quantity:
      quantity === null || Number(quantity) === 1
        ? null
        : fill(times, { quantity: number(quantity) }),
    amount: amount(line.amount),
  }));
  return { lines, subtotal: amount(block.total) };
}
