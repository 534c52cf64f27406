/** Answers format=html and format=pdf with the invoice as a page for people. */
import { invoicePage } from '../../../domain/invoices/page.ts';
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import { pdfNameOf } from '../../../domain/invoices/pdf-name.ts';
import { messages } from '../../../messages/messages.ts';
import { readInvoiceSource } from '../../../operations/invoices/page-source.ts';
import type { InvoiceAddress } from '../../../operations/context/locks.ts';
import { invoiceHtml, invoiceHtmlPolicy } from '../../../providers/invoice-documents/html.ts';
import { drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import type { Answer } from '../../calls/answer.ts';
import type { Call } from '../../calls/call.ts';
import { found, readingMore } from '../../calls/services.ts';
import type { RouteDependencies } from '../../calls/services.ts';

type ReadCall<Query> = Call<Query, undefined>;

export function invoiceFormats<Query>(
  dependencies: RouteDependencies,
  addressOf: (call: ReadCall<Query>) => InvoiceAddress,
): Readonly<Record<'html' | 'pdf', (call: ReadCall<Query>) => Promise<Answer>>> {
  /** Reads the rows first, and releases the connection before it draws. */
  const pageOf = async (call: ReadCall<Query>): Promise<InvoicePage> => {
    const address = addressOf(call);
    const source = await readingMore(dependencies, call.tenant, (tx) =>
      readInvoiceSource(tx, call.tenant, address),
    );
    return invoicePage(found('invoice', source, address), messages);
  };
  return {
    async html(call) {
      const body = invoiceHtml(await pageOf(call));
      const headers = { ...shared, 'Content-Security-Policy': invoiceHtmlPolicy };
      return { status: 200, type: 'text/html; charset=utf-8', headers, body };
    },
    async pdf(call) {
      const page = await pageOf(call);
      const name = pdfNameOf(page);
      const headers = { ...shared, 'Content-Disposition': `inline; filename="${name}"` };
      const body = await drawInvoice(page, String(call.tenant.id));
      return { status: 200, type: 'application/pdf', headers, body };
    },
  };
}

const shared = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private, no-cache' };
