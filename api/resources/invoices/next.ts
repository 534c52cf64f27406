/** The coming invoices of a customer. */
import { z } from 'zod';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import { extCustomerRef } from '../../calls/queries.ts';
import { route, type Route } from '../../calls/route.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { date } from '../../xml/types.ts';
import { previewDocument } from './mapping.ts';
import { invoicePreviewList, type InvoicePreviewDocument } from './schema.ts';

const until = { asOf: date().optional() };

export function nextInvoiceRoutes(dependencies: RouteDependencies): Route[] {
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
