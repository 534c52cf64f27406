/** A customer's contacts, each in both addressing forms. */
import { z } from 'zod';
import { contactColumns } from '../../operations/contact-input.ts';
import type { ContactInput } from '../../operations/contact-input.ts';
import { addContact, deleteContact, updateContact } from '../../operations/contact-write.ts';
import { readCustomer } from '../../operations/customer-read.ts';
import type { Reader } from '../../operations/listing.ts';
import type { CustomerAddress } from '../../operations/locks.ts';
import type { TenantInfo } from '../../operations/services.ts';
import type { Answer } from '../answer.ts';
import { route, writeRoute } from '../route.ts';
import type { Route, Write } from '../route.ts';
import { contactCodecs } from '../xml/schemas/contact.ts';
import type { ContactDocument } from '../xml/schemas/contact.ts';
import { statusCodec } from '../xml/schemas/status.ts';
import type { StatusDocument } from '../xml/schemas/status.ts';
import { extCustomerRef } from './queries.ts';
import { customerTarget, found, reading } from './services.ts';
import type { ApiServices } from './services.ts';

type Name = keyof typeof contactCodecs;

const kindOf = { billingContact: 'billing', salesContact: 'sales' } as const;
const byReference = z.object({ extCustomerRef: extCustomerRef() });

/** A customer always has a billing contact: only the other one comes and goes. */
export function contactRoutes(services: ApiServices): Route[] {
  return [
    ...readRoutes(services, 'billingContact'),
    ...writeRoutes(services, 'billingContact', 'PUT'),
    ...readRoutes(services, 'salesContact'),
    ...writeRoutes(services, 'salesContact', 'PUT'),
    ...writeRoutes(services, 'salesContact', 'POST'),
    ...removeRoutes(services),
  ];
}

const pathsOf = (name: Name) => ({ byId: `/customer/:id/${name}`, byRef: `/customer/${name}` });

function readRoutes(services: ApiServices, name: Name): Route[] {
  const get = (tenant: TenantInfo, address: CustomerAddress) =>
    reading(services, tenant, (tx) => contactOf(services, tx, tenant, { name, address }));
  const { response } = contactCodecs[name];
  const shared = { method: 'GET', summary: `The ${name} of a customer`, response } as const;
  const { byId, byRef } = pathsOf(name);
  return [
    route({ ...shared, path: byId, handler: ({ tenant, id }) => get(tenant, { id }) }),
    route({
      ...shared,
      path: byRef,
      query: byReference,
      handler: ({ tenant, query }) => get(tenant, query),
    }),
  ];
}

interface ContactCall {
  readonly tenant: TenantInfo;
  readonly body: ContactInput;
  readonly write: Write<ContactDocument>;
}

const writings = {
  PUT: { summary: 'Change', status: 200, operation: updateContact },
  POST: { summary: 'Make', status: 201, operation: addContact },
} as const;

function writeRoutes(services: ApiServices, name: Name, method: 'PUT' | 'POST'): Route[] {
  const { summary, status, operation } = writings[method];
  const { request, response } = contactCodecs[name];
  const put = async (
    address: CustomerAddress,
    { tenant, body, write }: ContactCall,
  ): Promise<Answer> => {
    const columns = await contactColumns(body, { hashCost: services.hashCost, tenant });
    return write(async (work) => {
      const id = await operation(work, address, kindOf[name], columns);
      return contactOf(services, work.last, tenant, { name, address: { id } });
    });
  };
  const shared = { method, summary: `${summary} the ${name} of a customer`, status } as const;
  const { byId, byRef } = pathsOf(name);
  return [
    writeRoute(services, {
      ...shared,
      path: byId,
      request,
      response,
      changes: ({ id }) => customerTarget({ id }),
      handler: (call) => put({ id: call.id }, call),
    }),
    writeRoute(services, {
      ...shared,
      path: byRef,
      query: byReference,
      request,
      response,
      changes: ({ query }) => customerTarget(query),
      handler: (call) => put(call.query, call),
    }),
  ];
}

function removeRoutes(services: ApiServices): Route[] {
  const remove = (write: Write<StatusDocument>, address: CustomerAddress) =>
    write(async (work) => {
      await deleteContact(work, address, 'sales');
      return { success: true, message: 'The salesContact is deleted' };
    });
  const summary = 'Delete the salesContact of a customer';
  const shared = { method: 'DELETE', summary, response: statusCodec } as const;
  const { byId, byRef } = pathsOf('salesContact');
  return [
    writeRoute(services, {
      ...shared,
      path: byId,
      changes: ({ id }) => customerTarget({ id }),
      handler: ({ write, id }) => remove(write, { id }),
    }),
    writeRoute(services, {
      ...shared,
      path: byRef,
      query: byReference,
      changes: ({ query }) => customerTarget(query),
      handler: ({ write, query }) => remove(write, query),
    }),
  ];
}

async function contactOf(
  services: ApiServices,
  tx: Reader,
  tenant: TenantInfo,
  { name, address }: { readonly name: Name; readonly address: CustomerAddress },
): Promise<ContactDocument> {
  const customer = found('customer', await readCustomer(services, tx, tenant, address), address);
  const contact = found('contact', customer[name] ?? undefined, address);
  // The contact is a part of the customer, whose version it shares.
  return Object.assign({ version: customer.version }, contact);
}
