/** Invoices: read, list, create by hand, cancel. */
import { z } from 'zod';
import { invoiceStatuses } from '../../../domain/invoices/happened.ts';
import { type CancelOptions, cancelInvoice } from '../../../operations/invoices/cancel.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { listInvoices, readInvoice } from '../../../operations/invoices/read.ts';
import type { CustomerAddress, InvoiceAddress } from '../../../operations/context/locks.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import { badRequest } from '../../calls/errors.ts';
import type { Answer } from '../../calls/answer.ts';
import { type Route, route, writeRoute } from '../../calls/route.ts';
import type { Call, Write } from '../../calls/call.ts';
import { mapInSlices } from '../../xml/slices.ts';
import {
  type InvoicePreviewDocument,
  invoiceCodec,
  invoiceList,
  invoicePreviewList,
  invoiceRequest,
} from './schema.ts';
import { type StatusDocument, statusCodec } from '../../calls/status-schema.ts';
import { boolean, date, enumeration, text } from '../../xml/types.ts';
import { invoiceDocument, manualInvoiceInput, previewDocument } from './mapping.ts';
import {
  byCustomer,
  customerFilterOf,
  extCustomerRef,
  page,
  windows,
  windowsOf,
} from '../../calls/queries.ts';
import {
  type RouteDependencies,
  found,
  invoiceTarget,
  reading,
  readingMore,
} from '../../calls/services.ts';
import { type InvoicePage, invoicePage } from '../../../domain/invoices/page.ts';
import { pdfNameOf } from '../../../domain/invoices/pdf-name.ts';
import { messages } from '../../../messages/messages.ts';
import { readInvoiceSource } from '../../../operations/invoices/page-source.ts';
import { invoiceHtml, invoiceHtmlPolicy } from '../../../providers/invoice-documents/html.ts';
import { drawInvoice } from '../../../providers/invoice-documents/pdf/drawing.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';

const byNumber = { invoiceNumber: text() };

export function invoiceRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...readRoutes(dependencies),
    ...nextInvoiceRoutes(dependencies),
    createRoute(dependencies),
    ...cancelRoutes(dependencies),
  ];
}

function readRoutes(dependencies: RouteDependencies): Route[] {
  const read = (tenant: TenantInfo, address: InvoiceAddress) =>
    reading(dependencies, tenant, async (tx) =>
      invoiceDocument(found('invoice', await readInvoice(tx, tenant, address), address)),
    );
  return [
    route({
      method: 'GET',
      path: '/invoice/:id',
      summary: 'An invoice with its line items and charges',
      response: invoiceCodec,
      handler: ({ tenant, id }) => read(tenant, { id }),
      formats: invoiceFormats(dependencies, ({ id }) => ({ id })),
    }),
    route({
      method: 'GET',
      path: '/invoice',
      summary: 'An invoice by its number',
      query: z.object(byNumber),
      response: invoiceCodec,
      handler: ({ tenant, query }) => read(tenant, { number: query.invoiceNumber }),
      formats: invoiceFormats<{ invoiceNumber: string }>(dependencies, ({ query }) => ({
        number: query.invoiceNumber,
      })),
    }),
    route({
      method: 'GET',
      path: '/invoices',
      summary: 'Invoices, the latest dueDate first',
      query: z.object({
        ...page,
        ...windows,
        status: enumeration(invoiceStatuses).optional(),
        ...byCustomer(),
      }),
      response: invoiceList,
      async handler({ tenant, query, noteMiss }) {
        const { offset, max, status = null } = query;
        const customer = customerFilterOf(query);
        const filter = { offset, max, status, ...customer, ...windowsOf(query, tenant) };
        const { rows, view } = await readingMore(dependencies, tenant, (tx) =>
          listInvoices(tx, tenant, filter),
        );
        if (rows.length === 0 && customer.customerId !== null) {
          noteMiss('customer', customer.customerId);
        }
        return mapInSlices(rows, (row) => invoiceDocument(view(row)));
      },
    }),
  ];
}

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
    status: 201,
    query: z.object(byCustomer()),
    request: invoiceRequest,
    response: invoiceCodec,
    handler: ({ tenant, query, body, write }) =>
      write(async (work) => {
        const id = await createInvoice(work, customerOf(query), manualInvoiceInput(body));
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
  const cancel = (
    write: Write<StatusDocument>,
    address: InvoiceAddress,
    options: CancelOptions,
  ): Promise<Answer> =>
    write(async (work) => {
      await cancelInvoice(dependencies, work, address, options);
      return { success: true, message: 'The invoice is cancelled' };
    });
  const shared = {
    method: 'DELETE',
    summary: 'Cancel an Outstanding invoice',
    response: statusCodec,
  } as const;
  return [
    writeRoute(dependencies, {
      ...shared,
      path: '/invoice/:id',
      query: z.object(flags),
      changes: ({ id }) => invoiceTarget({ id }),
      handler: ({ write, id, query }) => cancel(write, { id }, query),
    }),
    writeRoute(dependencies, {
      ...shared,
      path: '/invoice',
      query: z.object({ ...byNumber, ...flags }),
      changes: ({ query }) => invoiceTarget({ number: query.invoiceNumber }),
      handler: ({ write, query }) => cancel(write, { number: query.invoiceNumber }, query),
    }),
  ];
}

/* Answers format=html and format=pdf with the invoice as a page for people. */

type ReadCall<Query> = Call<Query, undefined>;

function invoiceFormats<Query>(
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

/* The coming invoices of a customer. */

const until = { asOf: date().optional() };

function nextInvoiceRoutes(dependencies: RouteDependencies): Route[] {
  const preview = async (
    tenant: TenantInfo,
    address: CustomerAddress,
    asOf: string | undefined,
  ): Promise<InvoicePreviewDocument[]> =>
    (await nextInvoices(dependencies, tenant, address, asOf ?? null)).map(previewDocument);
  const shared = {
    method: 'GET',
    response: invoicePreviewList,
    isHeavy: true,
    isPreview: true,
    // asOf is checked against the tenant's day.
    parameterErrors: ['field.invalid'],
  } as const;
  return [
    route({
      ...shared,
      path: '/customer/:id/nextInvoice',
      summary: 'The coming invoices of a customer up to a day, without storing them',
      query: z.object(until),
      handler: ({ tenant, id, query }) => preview(tenant, { id }, query.asOf),
    }),
    route({
      ...shared,
      path: '/customer/nextInvoice',
      summary: 'The coming invoices of a customer by its external reference',
      query: z.object({ extCustomerRef: extCustomerRef(), ...until }),
      handler: ({ tenant, query: { extCustomerRef: reference, asOf } }) =>
        preview(tenant, { extCustomerRef: reference }, asOf),
    }),
  ];
}
