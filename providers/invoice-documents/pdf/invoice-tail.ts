/** The parts below the table: the taxes by rate, the sums, the notes, the foot. */
import type { FootPart } from '../../../domain/invoices/page-parties.ts';
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import { layTaxes } from './invoice-taxes.ts';
import type { Block } from './pagination.ts';
import type { Pen } from './pen.ts';
import { colors, leading, styles } from './styles.ts';

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
