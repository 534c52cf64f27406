/** The taxes by rate: a small table that ends where the sums below it end. */
import type { TaxRow } from '../../../domain/invoices/page-taxes.ts';
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import type { Block } from './pagination.ts';
import type { Pen } from './pen.ts';
import { leading, styles } from './styles.ts';
import type { TextLine, TextStyle } from './typesetter.ts';

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
export function layTaxes({ taxes, words }: InvoicePage, pen: Pen): Block[] {
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
