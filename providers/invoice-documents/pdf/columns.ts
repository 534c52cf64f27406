/**
 * The widths of the table's columns: figures as wide as needed, the rest for text. Figures that leave
 * too little for the text stand below it, over the whole width.
 */
import { setImmediate } from 'node:timers/promises';
import type { PageCharge } from '../../../domain/invoices/page-lines.ts';
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import { styles } from './styles.ts';
import type { Typesetter } from './typesetter.ts';

export interface Column {
  readonly label: string;
  readonly left: number;
  readonly width: number;
  readonly isNumber: boolean;
}

export interface Columns {
  readonly text: Column;
  /** Period, quantity, unit price, amount. */
  readonly figures: readonly [Column, Column, Column, Column];
  /** The figures stand below the text. */
  readonly isStacked: boolean;
}

const GAP = 12;
/** Texts to measure before yielding to other work. */
const TEXTS_AT_ATIME = 100;
/** Wider periods are broken into lines; figures only if the whole width is too small for them. */
const PERIOD_WIDTH_MAX = 112;
/** About 25 letters. */
const TEXT_WIDTH_MIN = 130;

interface Area {
  readonly left: number;
  readonly width: number;
}

type FigureKey = 'period' | 'quantity' | 'unitPrice' | 'amount';

export async function columnsOf(
  page: InvoicePage,
  typesetter: Typesetter,
  area: Area,
): Promise<Columns> {
  const { words } = page;
  const charges = page.lines.flatMap((line) => line.charges);
  const widest = async (key: FigureKey): Promise<number> => {
    const texts = new Set(charges.map((charge: PageCharge) => charge[key] ?? ''));
    if (key === 'amount') for (const line of page.lines) texts.add(line.subtotal ?? '');
    let width = typesetter.line(words[key], styles.head).width;
    let measured = 0;
    for (const text of texts) {
      width = Math.max(width, typesetter.line(text, styles.body).width);
      measured += 1;
      if (measured % TEXTS_AT_ATIME === 0) await setImmediate();
    }
    return Math.ceil(width) + GAP;
  };
  const widths: Widths = {
    period: Math.min(await widest('period'), PERIOD_WIDTH_MAX + GAP),
    quantity: await widest('quantity'),
    unitPrice: await widest('unitPrice'),
    // Subtotals are set in bold.
    amount: Math.ceil((await widest('amount')) * 1.06),
  };
  const needed = sumOf(widths);
  const isStacked = area.width - needed < TEXT_WIDTH_MIN;
  const textWidth = isStacked ? area.width : area.width - needed;
  const text = { label: words.description, left: area.left, width: textWidth, isNumber: false };
  const left = isStacked ? area.left : area.left + textWidth;
  const fitted = isStacked ? stretched(widths, area.width) : widths;
  return { text, isStacked, figures: figuresFrom(left, fitted, words) };
}

type Widths = Readonly<Record<FigureKey, number>>;

function sumOf({ period, quantity, unitPrice, amount }: Widths): number {
  return period + quantity + unitPrice + amount;
}

/** Scales the columns to the whole width. */
function stretched(widths: Widths, whole: number): Widths {
  const scale = whole / sumOf(widths);
  const { period, quantity, unitPrice, amount } = widths;
  return {
    period: period * scale,
    quantity: quantity * scale,
    unitPrice: unitPrice * scale,
    amount: amount * scale,
  };
}

function figuresFrom(
  from: number,
  widths: Widths,
  words: InvoicePage['words'],
): Columns['figures'] {
  let left = from;
  const column = (key: FigureKey): Column => {
    const made = { label: words[key], left, width: widths[key], isNumber: key !== 'period' };
    left += widths[key];
    return made;
  };
  return [column('period'), column('quantity'), column('unitPrice'), column('amount')];
}
