/** A customer's contacts, each in both addressing forms. */
import { z } from 'zod';
import { contactFields, type ContactInput } from '../../../operations/customers/contact-input.ts';
import {
  addContact,
  deleteContact,
  updateContact,
} from '../../../operations/customers/contact-write.ts';
import { readCustomer, type FullCustomerView } from '../../../operations/customers/read.ts';
import type { Reader } from '../../../operations/context/listing.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import type { Answer } from '../../calls/answer.ts';
import { route, writeRoute, type Route } from '../../calls/route.ts';
import type { Write } from '../../calls/call.ts';
import { contactCodecs, type ContactDocument } from './schema.ts';
import { statusCodec, type StatusDocument } from '../../calls/status-schema.ts';
import { extCustomerRef } from '../../calls/queries.ts';
import { customerTarget, found, reading, type RouteDependencies } from '../../calls/services.ts';
import { validated, verdictOf, type Validated } from './validated.ts';

type Name = keyof typeof contactCodecs;

const kindOf = { billingContact: 'billing', salesContact: 'sales' } as const;
const byReference = z.object({ extCustomerRef: extCustomerRef() });

/** A customer always has a billing contact; only the sales contact can be created and deleted. */
export function contactRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...readRoutes(dependencies, 'billingContact'),
    ...writeRoutes(dependencies, 'billingContact', 'PUT'),
    ...readRoutes(dependencies, 'salesContact'),
    ...writeRoutes(dependencies, 'salesContact', 'PUT'),
    ...writeRoutes(dependencies, 'salesContact', 'POST'),
    ...removeRoutes(dependencies),
  ];
}

const pathsOf = (name: Name) => ({ byId: `/customer/:id/${name}`, byRef: `/customer/${name}` });

function readRoutes(dependencies: RouteDependencies, name: Name): Route[] {
  const get = (tenant: TenantInfo, address: CustomerAddress) =>
    reading(dependencies, tenant, async (tx) => {
      const { contact } = await contactOf(dependencies, tx, tenant, { name, address });
      return contact;
    });
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
  readonly write: Write<Validated<ContactDocument>>;
}

const writings = {
  PUT: { summary: 'Change', status: 200, operation: updateContact },
  POST: { summary: 'Make', status: 201, operation: addContact },
} as const;

function writeRoutes(dependencies: RouteDependencies, name: Name, method: 'PUT' | 'POST'): Route[] {
  const { summary, status, operation } = writings[method];
  const { request, response } = contactCodecs[name];
  const put = async (
    address: CustomerAddress,
    { tenant, body, write }: ContactCall,
  ): Promise<Answer> => {
    const fields = await contactFields(body, { hashCost: dependencies.hashCost, tenant });
    const kind = kindOf[name];
    const sent = [{ kind, path: name, address: body.address }];
    // A contact that is made has nothing stored.
    const stored = method === 'PUT' ? address : null;
    const verdict = await verdictOf(dependencies, tenant, sent, stored);
    return write(async (work) => {
      const id = await operation(work, address, kind, fields);
      const whose = { name, address: { id } };
      const saved = await contactOf(dependencies, work.finalQuery, tenant, whose);
      return verdict.answer(saved.contact, saved.customer);
    }, verdict.options);
  };
  const shared = {
    method,
    summary: `${summary} the ${name} of a customer`,
    status,
    request,
    response: validated(response),
    validatesAddresses: true,
  } as const;
  const { byId, byRef } = pathsOf(name);
  return [
    writeRoute(dependencies, {
      ...shared,
      path: byId,
      changes: ({ id }) => customerTarget({ id }),
      handler: (call) => put({ id: call.id }, call),
    }),
    writeRoute(dependencies, {
      ...shared,
      path: byRef,
      query: byReference,
      changes: ({ query }) => customerTarget(query),
      handler: (call) => put(call.query, call),
    }),
  ];
}

function removeRoutes(dependencies: RouteDependencies): Route[] {
  const remove = (write: Write<StatusDocument>, address: CustomerAddress) =>
    write(async (work) => {
      await deleteContact(work, address, 'sales');
      return { success: true, message: 'The salesContact is deleted' };
    });
  const summary = 'Delete the salesContact of a customer';
  const shared = { method: 'DELETE', summary, response: statusCodec } as const;
  const { byId, byRef } = pathsOf('salesContact');
  return [
    writeRoute(dependencies, {
      ...shared,
      path: byId,
      changes: ({ id }) => customerTarget({ id }),
      handler: ({ write, id }) => remove(write, { id }),
    }),
    writeRoute(dependencies, {
      ...shared,
      path: byRef,
      query: byReference,
      changes: ({ query }) => customerTarget(query),
      handler: ({ write, query }) => remove(write, query),
    }),
  ];
}

async function contactOf(
  dependencies: RouteDependencies,
  tx: Reader,
  tenant: TenantInfo,
  { name, address }: { readonly name: Name; readonly address: CustomerAddress },
): Promise<{ readonly contact: ContactDocument; readonly customer: FullCustomerView }> {
  const customer = found(
    'customer',
    await readCustomer(dependencies, tx, tenant, address),
    address,
  );
  const contact = found('contact', customer[name] ?? undefined, address);
  // The contact is a part of the customer, whose version it shares.
  return { contact: Object.assign({ version: customer.version }, contact), customer };
}
