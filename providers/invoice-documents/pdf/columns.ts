/** The widths of the table's columns: figures as wide as needed, the rest for text. */
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

export type Columns = readonly [Column, Column, Column, Column, Column];

const GAP = 12;
/** Texts to measure before yielding to other work. */
const TEXTS_AT_ATIME = 100;
/** Wider ones are broken into lines. */
const widthsMax = { period: 112, quantity: 84, unitPrice: 96, amount: 130 } as const;

export async function columnsOf(
  page: InvoicePage,
  typesetter: Typesetter,
  area: { readonly left: number; readonly width: number },
): Promise<Columns> {
  const { words } = page;
  const charges = page.lines.flatMap((line) => line.charges);
  const widest = async (label: string, key: keyof typeof widthsMax): Promise<number> => {
    const texts = new Set(charges.map((charge: PageCharge) => charge[key] ?? ''));
    if (key === 'amount') for (const line of page.lines) texts.add(line.subtotal ?? '');
    let width = typesetter.line(label, styles.head).width;
    let measured = 0;
    for (const text of texts) {
      width = Math.max(width, typesetter.line(text, styles.body).width);
      measured += 1;
      if (measured % TEXTS_AT_ATIME === 0) await setImmediate();
    }
    return Math.ceil(Math.min(width, widthsMax[key])) + GAP;
  };
  const widths = {
    period: await widest(words.period, 'period'),
    quantity: await widest(words.quantity, 'quantity'),
    unitPrice: await widest(words.unitPrice, 'unitPrice'),
    // Subtotals are set in bold.
    amount: Math.ceil((await widest(words.amount, 'amount')) * 1.06),
  };
  const figures = widths.period + widths.quantity + widths.unitPrice + widths.amount;
  let left = area.left;
  const column = (label: string, width: number, isNumber: boolean): Column => {
    const made = { label, left, width, isNumber };
    left += width;
    return made;
  };
  return [
    column(words.description, area.width - figures, false),
    column(words.period, widths.period, false),
    column(words.quantity, widths.quantity, true),
    column(words.unitPrice, widths.unitPrice, true),
    column(words.amount, widths.amount, true),
  ];
}
