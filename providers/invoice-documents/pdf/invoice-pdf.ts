/** Draws an invoice's document as a PDF. */
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import { documentPdf } from './document-pdf.ts';
import { layTail } from './invoice-tail.ts';
import { setImmediate } from 'node:timers/promises';
import type { PageCharge, PageLine } from '../../../domain/invoices/page-lines.ts';
import type { Block } from './pagination.ts';
import type { Pen } from './pen.ts';
import { leading, rise, styles } from './styles.ts';
import type { TextLine, TextStyle, Typesetter } from './typesetter.ts';

export function invoicePdf(page: InvoicePage): Promise<Buffer> {
  return documentPdf(page, {
    createdOn: page.invoiceDate,
    async lay(pen) {
      const { head, blocks } = await layTable(page, pen);
      return { tableHead: head, blocks: [...blocks, ...layTail(page, pen)] };
    },
  });
}

/* The table of charges as blocks: a heading for each line, its charges, its subtotal. */

interface Table {
  readonly head: Block;
  readonly blocks: readonly Block[];
}

/** Rows to lay out before yielding to other work. */
const ROWS_AT_ATIME = 20;
const CELL_GAP = 12;

async function layTable(page: InvoicePage, pen: Pen): Promise<Table> {
  const columns = await columnsOf(page, pen.typesetter, pen);
  const blocks: Block[] = [];
  let rows = 0;
  for (const [index, line] of page.lines.entries()) {
    const below = lineHeading(line, pen, index > 0);
    blocks.push({ ...below, atTop: lineHeading(line, pen, false) });
    for (const [at, charge] of line.charges.entries()) {
      const isLast = at === line.charges.length - 1;
      const row = chargeRow(charge, { columns, pen, isContinued: charge.isContinued });
      const whole = charge.isContinued
        ? { atTop: chargeRow(charge, { columns, pen, isContinued: false }) }
        : {};
      blocks.push({ ...row, ...whole, keepsWithNext: isLast && line.subtotal !== null });
      rows += 1;
      if (rows % ROWS_AT_ATIME === 0) await setImmediate();
    }
    if (line.subtotal !== null) {
      blocks.push(subtotalRow(page.words.subtotal, line.subtotal, { columns, pen }));
    }
  }
  return { head: tableHead(columns, pen), blocks };
}

function tableHead({ text, figures, isStacked }: Columns, pen: Pen): Block {
  const style = styles.head;
  const first = cellOf(text, text.label, { style, pen });
  const cells = figures.map((column) => cellOf(column, column.label, { style, pen }));
  const textHeight = first.lines.length * leading(style);
  const figuresHeight = Math.max(...cells.map(({ lines }) => lines.length)) * leading(style);
  const below = isStacked ? textHeight : 0;
  const height = Math.max(textHeight, below + figuresHeight) + 8;
  return {
    height,
    draw(top) {
      drawCell(first, pen, top);
      for (const cell of cells) drawCell(cell, pen, top + below);
      pen.rule({ top: top + height - 4, isStrong: true });
    },
  };
}

/** A rule separates it from a line above. */
function lineHeading(line: PageLine, pen: Pen, isBelow: boolean): Block {
  const space = isBelow ? 10 : 5;
  const title = pen.typesetter.lines(line.title, styles.bold, pen.width);
  const last = title.at(-1);
  const reference = line.reference === null ? [] : [line.reference];
  const beside = reference.map((text) => pen.typesetter.line(text, styles.detail));
  const from = pen.left + (last?.width ?? 0) + 8;
  const isBeside = beside.every(({ width }) => from + width <= pen.right);
  const below = isBeside
    ? []
    : reference.flatMap((text) => pen.typesetter.lines(text, styles.detail, pen.width));
  const textHeight = title.length * leading(styles.bold);
  return {
    height: space + textHeight + below.length * leading(styles.detail) + 2,
    keepsWithNext: true,
    isTable: true,
    draw(top) {
      if (isBelow) pen.rule({ top: top + 4 });
      pen.lines(title, styles.bold, { left: pen.left, top: top + space });
      const lastTop = top + space + textHeight - leading(styles.bold) + 1;
      if (isBeside) pen.lines(beside, styles.detail, { left: from, top: lastTop });
      pen.lines(below, styles.detail, { left: pen.left, top: top + space + textHeight });
    },
  };
}

interface Setting {
  readonly columns: Columns;
  readonly pen: Pen;
}

function chargeRow(
  charge: PageCharge,
  { columns, pen, isContinued }: Setting & { readonly isContinued: boolean },
): Block {
  const style = charge.isSubtotal ? styles.soft : styles.body;
  const { text: first, figures, isStacked } = columns;
  const texts = [charge.period, charge.quantity, charge.unitPrice, charge.amount];
  const description = isContinued ? [] : cellOf(first, charge.description, { style, pen }).lines;
  const detail =
    charge.detail === null ? [] : cellOf(first, charge.detail, { style: styles.detail, pen }).lines;
  const cells = figures.map((column, index) => cellOf(column, texts[index] ?? '', { style, pen }));
  const textHeight = description.length * leading(style) + detail.length * leading(styles.detail);
  const figuresHeight = Math.max(...cells.map(({ lines }) => lines.length * leading(style)));
  const under = isStacked ? textHeight : 0;
  const height = Math.max(textHeight, under + figuresHeight);
  return {
    height: height + 4,
    isTable: true,
    draw(top) {
      pen.lines(description, style, { left: first.left, top: top + 1 });
      // Without other text, the smaller text aligns with the figures beside it.
      const isBeside = description.length === 0 && !isStacked;
      const lowered = isBeside ? rise(style) - rise(styles.detail) : 0;
      const below = top + 1 + description.length * leading(style) + lowered;
      pen.lines(detail, styles.detail, { left: first.left, top: below });
      for (const cell of cells) drawCell(cell, pen, top + 1 + under);
    },
  };
}

function subtotalRow(label: string, amount: string, { columns, pen }: Setting): Block {
  const [, , , last] = columns.figures;
  const height = leading(styles.bold) + 8;
  const value = cellOf(last, amount, { style: styles.bold, pen });
  const word = pen.typesetter.line(label, styles.soft);
  return {
    height: height + (value.lines.length - 1) * leading(styles.bold),
    isTable: true,
    draw(top) {
      pen.rule({ top: top + 2, left: last.left + CELL_GAP });
      pen.lines([word], styles.soft, { left: 0, top: top + 4, right: last.left });
      drawCell(value, pen, top + 4);
    },
  };
}

interface Cell {
  readonly column: Column;
  readonly lines: readonly TextLine[];
  readonly style: TextStyle;
}

function cellOf(
  column: Column,
  text: string,
  { style, pen }: { readonly style: TextStyle; readonly pen: Pen },
): Cell {
  // The gap belongs to the side on which the text may run into another.
  const lines = text === '' ? [] : pen.typesetter.lines(text, style, column.width - CELL_GAP);
  return { column, lines, style };
}

function drawCell({ column, lines, style }: Cell, pen: Pen, top: number): void {
  const { left, width, isNumber } = column;
  pen.lines(lines, style, { left, top, ...(isNumber ? { right: left + width } : {}) });
}

/*
 * The widths of the table's columns: figures as wide as needed, the rest for text. Figures that leave
 * too little for the text stand below it, over the whole width.
 */

interface Column {
  readonly label: string;
  readonly left: number;
  readonly width: number;
  readonly isNumber: boolean;
}

interface Columns {
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

async function columnsOf(page: InvoicePage, typesetter: Typesetter, area: Area): Promise<Columns> {
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
