/** Invoices: read, list, create by hand, cancel. */
import { z } from 'zod';
import { invoiceStatuses } from '../../../domain/invoices/happened.ts';
import { cancelInvoice } from '../../../operations/invoices/cancel.ts';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import {
  type InvoiceLineRow,
  fileOfInvoiceLines,
  fileOfInvoices,
  listInvoices,
  readInvoice,
} from '../../../operations/invoices/read.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import { addressed } from '../../calls/addressed.ts';
import { givesLink } from '../../calls/link.ts';
import { makePayLink } from '../../../operations/pay-links/links.ts';
import { badRequest } from '../../calls/errors.ts';
import type { Answer } from '../../calls/answer.ts';
import { type Route, writeRoute } from '../../calls/route.ts';
import type { Call } from '../../calls/call.ts';
import {
  creditNoteRequest,
  invoiceCodec,
  invoiceList,
  invoicePreviewList,
  invoiceRequest,
  invoiceSchema,
} from './schema.ts';
import { statusCodec } from '../../calls/status-schema.ts';
import { boolean, date, enumeration } from '../../xml/types.ts';
import {
  invoiceDocument,
  invoiceLineColumns,
  manualInvoiceInput,
  previewDocument,
  writtenLine,
} from './mapping.ts';
import { fileRoute, listRoute } from '../../calls/lists.ts';
import { byCustomer, objectId } from '../../calls/queries.ts';
import { type RouteDependencies, found, reading, readingMore } from '../../calls/services.ts';
import { type InvoicePage, invoicePage } from '../../../domain/invoices/page.ts';
import { pdfNameOf } from '../../../domain/invoices/pdf-name.ts';
import { messages } from '../../../messages/messages.ts';
import {
  type DocumentChoice,
  readDocumentSource,
} from '../../../operations/invoices/page-source.ts';
import { invoiceHtml, invoiceHtmlPolicy } from '../../../providers/invoice-documents/html.ts';
import { drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import { ublDocument } from '../../../domain/invoices/ubl.ts';
import { giveUbl } from '../../../operations/invoices/ubl.ts';
import { ublXml } from '../../../providers/invoice-documents/ubl.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';

export function invoiceRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...readRoutes(dependencies),
    ...nextInvoiceRoutes(dependencies),
    createRoute(dependencies),
    ...creditNoteRoutes(dependencies),
    ...cancelRoutes(dependencies),
    ...payLinkRoutes(dependencies),
  ];
}

const documentQuery = {
  document: enumeration(['cancellation']).optional().meta({
    description:
      'With the formats html, pdf and ubl: the document of the cancellation, which its number as invoiceNumber gives, too.',
  }),
};

function readRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...addressed('invoice', dependencies).reads({
      summary: 'An invoice with its line items and charges',
      right: 'read',
      summaryByKey: 'An invoice by its number',
      query: documentQuery,
      response: invoiceCodec,
      find({ tenant, address, query }) {
        if (query.document !== undefined) {
          const message = 'document is for the formats html, pdf and ubl';
          throw badRequest('query.invalid', message, 'document');
        }
        return reading(dependencies, tenant, (tx) => readInvoice(tx, tenant, address));
      },
      document: invoiceDocument,
      formats: invoiceFormats(dependencies),
    }),
    listRoute(dependencies, {
      ...ofInvoices,
      name: 'invoices',
      summary: 'Invoices, the latest dueDate first',
      response: invoiceList,
      read: (tx, tenant, filter, query) => listInvoices(tx, tenant, { ...filter, ...given(query) }),
      document: invoiceDocument,
      schema: invoiceSchema,
      file: (tenant, filter, query) => fileOfInvoices(tenant, { ...filter, ...given(query) }),
    }),
    fileRoute(dependencies, {
      ...ofInvoices,
      name: 'invoiceLines',
      columns: invoiceLineColumns,
      file(tenant, filter, query) {
        const { statement, view } = fileOfInvoiceLines(tenant, { ...filter, ...given(query) });
        return { statement, view: (row: InvoiceLineRow) => writtenLine(view(row)) };
      },
    }),
  ];
}

/** The list of invoices, and the file of their charges. */
const ofInvoices = {
  table: 'invoices',
  query: {
    status: enumeration(invoiceStatuses).optional(),
    creditNoteOf: objectId().optional().meta({
      description: 'Only the credit notes of the invoice with this internal id.',
    }),
    isCreditNote: boolean().optional().meta({
      description: 'Whether only credit notes, whose total is negative, or only others.',
    }),
  },
} as const;

type Given = z.output<z.ZodObject<(typeof ofInvoices)['query']>>;

const given = ({ status, creditNoteOf, isCreditNote }: Given) => ({
  status: status ?? null,
  creditNoteOf: creditNoteOf ?? null,
  isCreditNote: isCreditNote ?? null,
});

interface CustomerQuery {
  readonly customerId?: number | undefined;
  readonly extCustomerRef?: string | undefined;
}

function customerOf({ customerId, extCustomerRef: reference }: CustomerQuery): CustomerAddress {
  if (customerId !== undefined && reference !== undefined) {
    throw badRequest(
      'query.invalid',
      'customerId and extCustomerRef exclude each other',
      'customerId',
    );
  }
  if (customerId !== undefined) return { id: customerId };
  if (reference !== undefined) return { extCustomerRef: reference };
  throw badRequest('query.required', 'customerId or extCustomerRef is required', 'customerId');
}

function createRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'POST',
    path: '/invoices',
    summary: 'Create an invoice by hand',
    audited: 'invoice',
    right: 'write',
    status: 201,
    query: z.object({ ...byCustomer(), calcTax: boolean().optional() }),
    request: invoiceRequest,
    response: invoiceCodec,
    handler: ({ tenant, query, body, write }) =>
      write(async (work) => {
        const { calcTax = null } = query;
        const input = manualInvoiceInput(body);
        const id = await createInvoice(work, customerOf(query), input, { calcTax });
        return invoiceDocument(
          found('invoice', await readInvoice(work.finalQuery, tenant, { id }), { id }),
        );
      }),
  });
}

function creditNoteRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('invoice', dependencies).writes({
    method: 'POST',
    below: '/creditNote',
    summary: 'Give charges of an invoice back by a credit note',
    right: 'finance',
    status: 201,
    query: { refund: boolean().default(false) },
    request: creditNoteRequest,
    response: invoiceCodec,
    handler: ({ tenant, user, address, body, query: { refund }, write }) =>
      write(async (work) => {
        const id = await createCreditNote(work, address, body, { refund, userId: user.id });
        return invoiceDocument(
          found('invoice', await readInvoice(work.finalQuery, tenant, { id }), { id }),
        );
      }),
  });
}

const flags = {
  suspendOrders: boolean().default(false),
  cancelOrders: boolean().default(false),
  rollbackBillingPeriod: boolean().default(false),
};

function cancelRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('invoice', dependencies).writes({
    method: 'DELETE',
    summary: 'Cancel an Outstanding invoice',
    right: 'write',
    query: flags,
    response: statusCodec,
    handler: ({ write, address, query }) =>
      write(async (work) => {
        await cancelInvoice(dependencies, work, address, query);
        return { success: true, message: 'The invoice is cancelled' };
      }),
  });
}

const payLinkRoutes = (dependencies: RouteDependencies): Route[] =>
  addressed('invoice', dependencies).writes({
    ...givesLink(dependencies, { name: 'payLink', make: makePayLink }),
    summary: 'Make a link to the page that pays an invoice without a login',
    right: 'write',
    summaryByKey: 'Make a pay link of an invoice by its number',
  });

/* Answers format=html and format=pdf with the invoice for people, format=ubl with one for machines. */

type ReadCall = Call<Pick<DocumentChoice, 'document'>, undefined> & Pick<DocumentChoice, 'address'>;

function invoiceFormats(
  dependencies: RouteDependencies,
): Readonly<Record<'html' | 'pdf' | 'ubl', (call: ReadCall) => Promise<Answer>>> {
  /** Reads the rows first, and releases the connection before it draws. */
  const pageOf = async ({ tenant, address, query }: ReadCall): Promise<InvoicePage> => {
    const source = await readingMore(dependencies, tenant, (tx) =>
      readDocumentSource(tx, tenant, { address, ...query }),
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
    async ubl({ tenant, address, query }) {
      const given = await giveUbl(dependencies, tenant, { address, ...query });
      const source = found('invoice', given, address);
      const body = ublXml(ublDocument(source));
      return { status: 200, type: 'application/xml; charset=utf-8', headers: shared, body };
    },
  };
}

const shared = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private, no-cache' };

/* The coming invoices of a customer. */

function nextInvoiceRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('customer', dependencies).reads({
    below: '/nextInvoice',
    summary: 'The coming invoices of a customer up to a day, without storing them',
    right: 'read',
    summaryByKey: 'The coming invoices of a customer by its external reference',
    query: { asOf: date().optional() },
    response: invoicePreviewList,
    isHeavy: true,
    isPreview: true,
    // asOf is checked against the tenant's day.
    parameterErrors: ['field.invalid'],
    find: ({ tenant, address, query: { asOf = null } }) =>
      nextInvoices(dependencies, tenant, address, asOf),
    document: (invoices) => invoices.map(previewDocument),
  });
}
