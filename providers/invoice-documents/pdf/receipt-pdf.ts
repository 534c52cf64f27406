/** Draws the receipt of a payment as a PDF: its invoices with their amounts, and the sum. */
import type { ReceiptPage } from '../../../domain/self-service/receipt.ts';
import { documentPdf } from './document-pdf.ts';
import { layFoot, laySummary } from './invoice-tail.ts';
import type { Block } from './pagination.ts';
import type { Pen } from './pen.ts';
import { leading, styles } from './styles.ts';
import type { TextStyle } from './typesetter.ts';

export function receiptPdf(page: ReceiptPage): Promise<Buffer> {
  const { columns, rows, total, foot, paidOn } = page;
  return documentPdf(page, {
    createdOn: paidOn,
    lay(pen) {
      const sum = laySummary({ summary: [{ ...total, isTotal: true }] }, pen);
      const isLast = foot.length === 0;
      return Promise.resolve({
        tableHead: tableHead(columns, pen),
        blocks: [
          ...rows.map(({ label, value }) => rowOf([label, value], styles.body, pen)),
          { ...sum, keepsWithNext: !isLast },
          ...(isLast ? [] : [layFoot(foot, pen)]),
        ],
      });
    },
  });
}

function tableHead(columns: ReceiptPage['columns'], pen: Pen): Block {
  const head = rowOf(columns, styles.head, pen);
  const height = head.height + 6;
  return {
    height,
    draw(top) {
      head.draw(top);
      pen.rule({ top: top + height - 4, isStrong: true });
    },
  };
}

const GAP = 24;

/** The amount is never broken; the text beside it is. */
function rowOf([text, amount]: ReceiptPage['columns'], style: TextStyle, pen: Pen): Block {
  const figure = pen.typesetter.line(amount, style);
  const lines = pen.typesetter.lines(text, style, pen.width - figure.width - GAP);
  return {
    height: lines.length * leading(style) + 4,
    isTable: true,
    draw(top) {
      pen.lines(lines, style, { left: pen.left, top: top + 1 });
      pen.lines([figure], style, { left: 0, top: top + 1, right: pen.right });
    },
  };
}
