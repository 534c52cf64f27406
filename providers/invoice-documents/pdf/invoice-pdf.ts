/** Draws an invoice's document as a PDF. */
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import { documentPdf } from './document-pdf.ts';
import { layTable } from './invoice-table.ts';
import { layTail } from './invoice-tail.ts';

export function invoicePdf(page: InvoicePage): Promise<Buffer> {
  return documentPdf(page, {
    createdOn: page.invoiceDate,
    async lay(pen) {
      const { head, blocks } = await layTable(page, pen);
      return { tableHead: head, blocks: [...blocks, ...layTail(page, pen)] };
    },
  });
}
