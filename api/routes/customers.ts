/** Customers: make, read, list, search, change, suspend, activate, delete. */
import { z } from 'zod';
import { customerStatuses } from '../../domain/model.ts';
import { contactColumns } from '../../operations/contact-input.ts';
import { listCustomers } from '../../operations/customer-read.ts';
import { activateCustomer, suspendCustomer } from '../../operations/customer-status.ts';
import { deleteCustomer } from '../../operations/customer-delete.ts';
import { createCustomer, updateCustomer } from '../../operations/customer-write.ts';
import type { CustomerAddress } from '../../operations/locks.ts';
import type { TenantInfo, Work } from '../../operations/services.ts';
import type { Answer } from '../answer.ts';
import { route, writeRoute } from '../route.ts';
import type { Route, Write } from '../route.ts';
import {
  customerCodec,
  customerCreate,
  customerList,
  customerUpdate,
} from '../xml/schemas/customer.ts';
import type {
  CustomerCreateInput,
  CustomerDocument,
  CustomerUpdateInput,
} from '../xml/schemas/customer.ts';
import { statusCodec } from '../xml/schemas/status.ts';
import type { StatusDocument } from '../xml/schemas/status.ts';
import { enumeration, text } from '../xml/types.ts';
import { customerAndOrderRoutes } from './customer-and-order.ts';
import { customerDocument, customerInput, documentOf, newContacts } from './customer-documents.ts';
import { extCustomerRef, page, windows, windowsOf } from './queries.ts';
import { customerTarget, reading } from './services.ts';
import type { ApiServices } from './services.ts';
import { transitionRoutes } from './transitions.ts';

const byReference = z.object({ extCustomerRef: extCustomerRef() });

export function customerRoutes(services: ApiServices): Route[] {
  return [
    ...readRoutes(services),
    ...writeRoutes(services),
    ...removeRoutes(services),
    ...transitionRoutes(services),
    ...customerAndOrderRoutes(services),
    ...actionRoutes(services, 'suspend'),
    ...actionRoutes(services, 'activate'),
  ];
}

function readRoutes(services: ApiServices): Route[] {
  const read = (tenant: TenantInfo, address: CustomerAddress): Promise<CustomerDocument> =>
    reading(services, tenant, (tx) => documentOf(services, tx, tenant, address));
  return [
    route({
      method: 'GET',
      path: '/customer/:id',
      summary: 'A customer with its contacts and financials',
      response: customerCodec,
      handler: ({ tenant, id }) => read(tenant, { id }),
    }),
    route({
      method: 'GET',
      path: '/customer',
      summary: 'A customer by its external reference',
      query: byReference,
      response: customerCodec,
      handler: ({ tenant, query }) => read(tenant, query),
    }),
    route({
      method: 'GET',
      path: '/customers',
      summary: 'Customers by ascending id, filtered or searched',
      query: z.object({
        ...page,
        ...windows,
        status: enumeration(customerStatuses).optional(),
        search: text().optional(),
      }),
      response: customerList,
      handler: ({ tenant, query }) =>
        reading(services, tenant, async (tx) => {
          const { offset, max, status = null, search = null } = query;
          const filter = { offset, max, status, search, ...windowsOf(query, tenant) };
          return (await listCustomers(tx, filter)).map(customerDocument);
        }),
    }),
  ];
}

type WriteCall<Body> = {
  readonly tenant: TenantInfo;
  readonly body: Body;
  readonly write: Write<CustomerDocument>;
};

async function create(
  services: ApiServices,
  { tenant, body, write }: WriteCall<CustomerCreateInput>,
): Promise<Answer> {
  const contacts = await newContacts(services, tenant, body);
  return write(async (work) => {
    const id = await createCustomer(work, customerInput(body), contacts);
    return documentOf(services, work.last, tenant, { id });
  });
}

async function update(
  services: ApiServices,
  address: CustomerAddress,
  { tenant, body, write }: WriteCall<CustomerUpdateInput>,
): Promise<Answer> {
  const { billingContact, salesContact } = body;
  const hashing = { hashCost: services.hashCost, tenant };
  const contacts = {
    billing: billingContact && (await contactColumns(billingContact, hashing)),
    sales: salesContact && (await contactColumns(salesContact, hashing)),
  };
  return write(async (work) => {
    const id = await updateCustomer(work, address, customerInput(body), contacts);
    return documentOf(services, work.last, tenant, { id });
  });
}

function writeRoutes(services: ApiServices): Route[] {
  const shared = {
    summary: 'Change a customer',
    request: customerUpdate,
    response: customerCodec,
  } as const;
  const byId = {
    ...shared,
    path: '/customer/:id',
    changes: ({ id }: { readonly id: number }) => customerTarget({ id }),
    handler: (call: WriteCall<CustomerUpdateInput> & { readonly id: number }) =>
      update(services, { id: call.id }, call),
  } as const;
  return [
    writeRoute(services, {
      method: 'POST',
      path: '/customers',
      summary: 'Make a customer',
      actions: [undefined, 'saveCustomerRest'],
      status: 201,
      request: customerCreate,
      response: customerCodec,
      handler: (call) => create(services, call),
    }),
    writeRoute(services, { ...byId, method: 'PUT' }),
    writeRoute(services, {
      ...byId,
      method: 'POST',
      summary: 'Change a customer, as an action',
      actions: ['updateCustomerRest'],
    }),
    writeRoute(services, {
      ...shared,
      method: 'PUT',
      path: '/customer',
      summary: 'Change a customer by its external reference',
      query: byReference,
      changes: ({ query }) => customerTarget(query),
      handler: (call) => update(services, call.query, call),
    }),
  ];
}

function removeRoutes(services: ApiServices): Route[] {
  const remove = (write: Write<StatusDocument>, address: CustomerAddress) =>
    write(async (work) => {
      await deleteCustomer(work, address);
      return { success: true, message: 'The customer is deleted' };
    });
  const shared = {
    method: 'DELETE',
    summary: 'Delete a customer that has no orders, invoices or payments',
    response: statusCodec,
  } as const;
  return [
    writeRoute(services, {
      ...shared,
      path: '/customer/:id',
      changes: ({ id }) => customerTarget({ id }),
      handler: ({ write, id }) => remove(write, { id }),
    }),
    writeRoute(services, {
      ...shared,
      path: '/customer',
      query: byReference,
      changes: ({ query }) => customerTarget(query),
      handler: ({ write, query }) => remove(write, query),
    }),
  ];
}

const operations = {
  async suspend(services: ApiServices, work: Work, address: CustomerAddress): Promise<string> {
    await suspendCustomer(services, work, address);
    return 'The customer is suspended';
  },
  async activate(services: ApiServices, work: Work, address: CustomerAddress): Promise<string> {
    const released = await activateCustomer(services, work, address);
    if (released === null) return 'The customer is active';
    return (
      `The customer is no longer held from billing (${released}); its status is as it was. ` +
      'What was due is billed at the next 00:00. Call once more to activate it'
    );
  },
};

function actionRoutes(services: ApiServices, action: 'suspend' | 'activate'): Route[] {
  const act = (write: Write<StatusDocument>, address: CustomerAddress) =>
    write(async (work) => ({
      success: true,
      message: await operations[action](services, work, address),
    }));
  const summary = `Let a customer's billing ${action === 'suspend' ? 'rest' : 'go on'}`;
  const shared = { method: 'POST', actions: [action], summary, response: statusCodec } as const;
  return [
    writeRoute(services, {
      ...shared,
      path: '/customer/:id',
      changes: ({ id }) => customerTarget({ id }),
      handler: ({ write, id }) => act(write, { id }),
    }),
    writeRoute(services, {
      ...shared,
      path: '/customer',
      query: byReference,
      changes: ({ query }) => customerTarget(query),
      handler: ({ write, query }) => act(write, query),
    }),
  ];
}
