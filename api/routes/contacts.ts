/** A customer's contacts, each in both addressing forms. */
import { z } from 'zod';
import { contactColumns } from '../../operations/contact-input.ts';
import type { ContactInput } from '../../operations/contact-input.ts';
import { updateContact } from '../../operations/contact-write.ts';
import { readCustomer } from '../../operations/customer-read.ts';
import type { Reader } from '../../operations/listing.ts';
import type { CustomerAddress } from '../../operations/locks.ts';
import type { TenantInfo } from '../../operations/services.ts';
import { route } from '../route.ts';
import type { Route } from '../route.ts';
import { contactCodecs } from '../xml/schemas/contact.ts';
import type { ContactDocument } from '../xml/schemas/contact.ts';
import { extCustomerRef } from './queries.ts';
import { found, reading, writing } from './services.ts';
import type { ApiServices } from './services.ts';

type Name = keyof typeof contactCodecs;

const kindOf = { billingContact: 'billing', salesContact: 'sales' } as const;
const byReference = z.object({ extCustomerRef: extCustomerRef() });

export function contactRoutes(services: ApiServices): Route[] {
  return [...routesOf(services, 'billingContact'), ...routesOf(services, 'salesContact')];
}

function routesOf(services: ApiServices, name: Name): Route[] {
  const { request, response } = contactCodecs[name];
  const get = (tenant: TenantInfo, address: CustomerAddress) =>
    reading(services, tenant, (tx) => contactOf(services, tx, tenant, { name, address }));
  const put = async (tenant: TenantInfo, address: CustomerAddress, body: ContactInput) => {
    const columns = await contactColumns(body, services.hashCost);
    return writing(services, tenant, async (work) => {
      const id = await updateContact(work, address, kindOf[name], columns);
      return contactOf(services, work.tx, tenant, { name, address: { id } });
    });
  };
  const reads = { method: 'GET', summary: `The ${name} of a customer`, response } as const;
  const writes = { method: 'PUT', summary: `Change the ${name} of a customer`, response } as const;
  const byId = `/customer/:id/${name}`;
  const byRef = `/customer/${name}`;
  return [
    route({ ...reads, path: byId, handler: ({ tenant, id }) => get(tenant, { id }) }),
    route({
      ...reads,
      path: byRef,
      query: byReference,
      handler: ({ tenant, query }) => get(tenant, query),
    }),
    route({
      ...writes,
      path: byId,
      request,
      handler: ({ tenant, id, body }) => put(tenant, { id }, body),
    }),
    route({
      ...writes,
      path: byRef,
      query: byReference,
      request,
      handler: ({ tenant, query, body }) => put(tenant, query, body),
    }),
  ];
}

async function contactOf(
  services: ApiServices,
  tx: Reader,
  tenant: TenantInfo,
  { name, address }: { readonly name: Name; readonly address: CustomerAddress },
): Promise<ContactDocument> {
  const customer = found('customer', await readCustomer(services, tx, tenant, address));
  return found('contact', customer[name] ?? undefined);
}
