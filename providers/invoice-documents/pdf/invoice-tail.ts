/** The parts below the table: the taxes by rate, the sums, the notes, the foot. */
import type { FootPart } from '../../../domain/invoices/page-parties.ts';
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import type { Block } from './pagination.ts';
import type { Pen } from './pen.ts';
import { colors, leading, styles } from './styles.ts';
import type { TaxRow } from '../../../domain/invoices/page-taxes.ts';
import type { TextLine, TextStyle } from './typesetter.ts';

/** The sums stay together; the notes may run on over pages. The foot is not alone on a page. */
export function layTail(page: InvoicePage, pen: Pen): Block[] {
  const above = [...layTaxes(page, pen), laySummary(page, pen), ...layNotes(page, pen)];
  if (page.foot.length === 0) return above;
  const last = above.length - 1;
  return [
    ...above.map((block, index) => (index === last ? { ...block, keepsWithNext: true } : block)),
    layFoot(page.foot, pen),
  ];
}

function layNotes({ notes, words }: InvoicePage, pen: Pen): Block[] {
  if (notes.length === 0) return [];
  const lines = notes.flatMap((note) => pen.typesetter.lines(note, styles.body, pen.width));
  const heading: Block = {
    height: 22 + leading(styles.head) + 2,
    keepsWithNext: true,
    draw: (top) => pen.text(words.notes, styles.head, { left: pen.left, top: top + 22 }),
  };
  const body = lines.map((line): Block => ({
    height: leading(styles.body),
    draw: (top) => pen.lines([line], styles.body, { left: pen.left, top }),
  }));
  return [heading, ...body];
}

const FOOT_GAP = 28;
/** Two parts share the width; one alone does not run over all of it. */
const FOOT_COLUMNS_MIN = 2;

/** Beside each other below a rule, at the bottom of the page. */
export function layFoot(parts: readonly FootPart[], pen: Pen): Block {
  const columns = Math.max(parts.length, FOOT_COLUMNS_MIN);
  const width = (pen.width - FOOT_GAP * (columns - 1)) / columns;
  const space = 26;
  const laid = parts.map(({ label, lines }, index) => ({
    label: pen.typesetter.lines(label, styles.head, width),
    lines: lines.flatMap((line) => pen.typesetter.lines(line, styles.foot, width)),
    left: pen.left + index * (width + FOOT_GAP),
  }));
  const heights = laid.map(
    ({ label, lines }) => label.length * leading(styles.head) + lines.length * leading(styles.foot),
  );
  return {
    height: space + Math.max(...heights),
    isAtBottom: true,
    draw(top) {
      pen.rule({ top: top + space - 8 });
      for (const { label, lines, left } of laid) {
        pen.lines(label, styles.head, { left, top: top + space });
        const below = top + space + label.length * leading(styles.head);
        pen.lines(lines, styles.foot, { left, top: below });
      }
    },
  };
}

/** A wide sum widens the box rather than breaking the words beside it into letters. */
const SUM_LABEL_WIDTH_MIN = 120;

export function laySummary({ summary }: Pick<InvoicePage, 'summary'>, pen: Pen): Block {
  const space = 18;
  const measured = summary.map(({ label, value, isTotal }) => {
    const style = isTotal ? styles.total : styles.body;
    const labelStyle = isTotal ? styles.total : styles.soft;
    const figure = pen.typesetter.line(value, style);
    return { label, isTotal, style, labelStyle, figure };
  });
  const widest = Math.max(...measured.map(({ figure }) => figure.width));
  const width = Math.min(pen.width, Math.max(pen.width * 0.52, widest + SUM_LABEL_WIDTH_MIN + 32));
  const left = pen.right - width;
  const rows = measured.map(({ label, ...row }) => {
    const { isTotal, style, labelStyle, figure } = row;
    const labels = pen.typesetter.lines(label, labelStyle, width - figure.width - 32);
    const padding = isTotal ? 7 : 2.5;
    const height = labels.length * leading(style) + 2 * padding;
    return { ...row, labels, padding, height };
  });
  return {
    height: space + rows.reduce((sum, { height }) => sum + height, 0),
    draw(top) {
      pen.rule({ top: top + 10, isStrong: true });
      let at = top + space;
      for (const { isTotal, style, labelStyle, figure, labels, padding, height } of rows) {
        if (isTotal) pen.box({ left, top: at, width, height }, colors.tint);
        pen.lines(labels, labelStyle, { left: left + 10, top: at + padding });
        pen.lines([figure], style, { left: 0, top: at + padding, right: pen.right - 10 });
        at += height;
      }
    },
  };
}

/* The taxes by rate: a small table that ends where the sums below it end. */

const SPACE = 14;
const GAP = 16;
const PADDING = 10;
const NAME_WIDTH_MIN = 100;
/** Longer names are broken into lines. */
const NAME_WIDTH_MAX = 190;

/** Where the names begin, and where the columns of figures end. */
interface Columns {
  readonly left: number;
  readonly nameWidth: number;
  readonly ends: readonly number[];
}

const figuresOf = ({ percent, base, amount }: TaxRow) => [percent, base, amount];

/** Nothing without such taxes; else they stay with the sums below them. */
function layTaxes({ taxes, words }: InvoicePage, pen: Pen): Block[] {
  if (taxes.length === 0) return [];
  const labels = [words.taxRate, words.taxBase, words.taxAmount];
  const columns = columnsOf(labels, taxes, pen);
  return [
    headOf([words.tax, ...labels], columns, pen),
    ...taxes.map((tax) => rowOf(tax, columns, pen)),
  ];
}

function columnsOf(labels: readonly string[], taxes: readonly TaxRow[], pen: Pen): Columns {
  const { line } = pen.typesetter;
  const widths = labels.map((label, index) =>
    Math.max(
      line(label, styles.head).width,
      ...taxes.map((tax) => line(figuresOf(tax)[index] ?? '', styles.body).width),
    ),
  );
  const figures = widths.reduce((sum, width) => sum + width + GAP, 0);
  const widest = Math.max(...taxes.map(({ name }) => line(name, styles.body).width));
  const nameWidth = Math.min(
    // As wide as the box of the sums, if the names need no more.
    Math.max(pen.width * 0.52 - 2 * PADDING - figures, NAME_WIDTH_MIN, Math.ceil(widest)),
    NAME_WIDTH_MAX,
    pen.width - 2 * PADDING - figures,
  );
  const left = pen.right - PADDING - figures - nameWidth;
  let end = left + nameWidth;
  const ends = widths.map((width) => (end += GAP + width));
  return { left, nameWidth, ends };
}

function headOf([first = '', ...labels]: readonly string[], columns: Columns, pen: Pen): Block {
  const { left, ends } = columns;
  const name = pen.typesetter.line(first, styles.head);
  const lines = labels.map((label) => pen.typesetter.line(label, styles.head));
  const height = leading(styles.head);
  return {
    height: SPACE + height + 6,
    keepsWithNext: true,
    draw(top) {
      pen.lines([name], styles.head, { left, top: top + SPACE });
      drawFigures(lines, { ends, style: styles.head, top: top + SPACE, pen });
      pen.rule({ top: top + SPACE + height + 2, left: left - PADDING });
    },
  };
}

function rowOf(tax: TaxRow, { left, nameWidth, ends }: Columns, pen: Pen): Block {
  const { lines: broken, line } = pen.typesetter;
  const name = broken(tax.name, styles.body, nameWidth);
  const reason = tax.reason === null ? [] : broken(tax.reason, styles.detail, nameWidth);
  const figures = figuresOf(tax).map((text) => line(text, styles.body));
  const nameHeight = name.length * leading(styles.body);
  return {
    height: nameHeight + reason.length * leading(styles.detail) + 3,
    keepsWithNext: true,
    draw(top) {
      pen.lines(name, styles.body, { left, top: top + 1 });
      pen.lines(reason, styles.detail, { left, top: top + 1 + nameHeight });
      drawFigures(figures, { ends, style: styles.body, top: top + 1, pen });
    },
  };
}

function drawFigures(
  figures: readonly TextLine[],
  at: {
    readonly ends: readonly number[];
    readonly style: TextStyle;
    readonly top: number;
    readonly pen: Pen;
  },
): void {
  for (const [index, figure] of figures.entries()) {
    const right = at.ends[index] ?? at.pen.right;
    at.pen.lines([figure], at.style, { left: 0, top: at.top, right });
  }
}
