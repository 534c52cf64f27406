/** Customers: make, read, list, search, change, suspend, activate. */
import { z } from 'zod';
import { customerStatuses } from '../../domain/model.ts';
import { contactColumns } from '../../operations/contact-input.ts';
import { listCustomers, readCustomer } from '../../operations/customer-read.ts';
import { activateCustomer, suspendCustomer } from '../../operations/customer-status.ts';
import { createCustomer, updateCustomer } from '../../operations/customer-write.ts';
import type { CustomerAddress } from '../../operations/locks.ts';
import type { TenantInfo } from '../../operations/services.ts';
import { route } from '../route.ts';
import type { Route } from '../route.ts';
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
import { enumeration, text } from '../xml/types.ts';
import { customerDocument, customerInput } from './customer-documents.ts';
import { extCustomerRef, page, windows, windowsOf } from './queries.ts';
import { found, reading, writing } from './services.ts';
import type { ApiServices } from './services.ts';

const byReference = z.object({ extCustomerRef: extCustomerRef() });

export function customerRoutes(services: ApiServices): Route[] {
  return [
    ...readRoutes(services),
    ...writeRoutes(services),
    ...actionRoutes(services, 'suspend'),
    ...actionRoutes(services, 'activate'),
  ];
}

function readRoutes(services: ApiServices): Route[] {
  const read = async (tenant: TenantInfo, address: CustomerAddress): Promise<CustomerDocument> =>
    reading(services, tenant, async (tx) =>
      customerDocument(found('customer', await readCustomer(services, tx, tenant, address))),
    );
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

async function create(
  services: ApiServices,
  tenant: TenantInfo,
  body: CustomerCreateInput,
): Promise<CustomerDocument> {
  const contacts = {
    billing: await contactColumns(body.billingContact, services.hashCost),
    sales: body.salesContact ? await contactColumns(body.salesContact, services.hashCost) : null,
  };
  return writing(services, tenant, async (work) => {
    const id = await createCustomer(work, customerInput(body), contacts);
    return customerDocument(
      found('customer', await readCustomer(services, work.tx, tenant, { id })),
    );
  });
}

async function update(
  services: ApiServices,
  tenant: TenantInfo,
  address: CustomerAddress,
  body: CustomerUpdateInput,
): Promise<CustomerDocument> {
  const { billingContact, salesContact } = body;
  const contacts = {
    billing: billingContact && (await contactColumns(billingContact, services.hashCost)),
    sales: salesContact && (await contactColumns(salesContact, services.hashCost)),
  };
  return writing(services, tenant, async (work) => {
    const id = await updateCustomer(work, address, customerInput(body), contacts);
    return customerDocument(
      found('customer', await readCustomer(services, work.tx, tenant, { id })),
    );
  });
}

function writeRoutes(services: ApiServices): Route[] {
  const shared = { request: customerUpdate, response: customerCodec };
  return [
    route({
      method: 'POST',
      path: '/customers',
      summary: 'Make a customer',
      actions: [undefined, 'saveCustomerRest'],
      status: 201,
      request: customerCreate,
      response: customerCodec,
      handler: ({ tenant, body }) => create(services, tenant, body),
    }),
    route({
      method: 'PUT',
      path: '/customer/:id',
      summary: 'Change a customer',
      ...shared,
      handler: ({ tenant, id, body }) => update(services, tenant, { id }, body),
    }),
    route({
      method: 'PUT',
      path: '/customer',
      summary: 'Change a customer by its external reference',
      query: byReference,
      ...shared,
      handler: ({ tenant, query, body }) => update(services, tenant, query, body),
    }),
    route({
      method: 'POST',
      path: '/customer/:id',
      summary: 'Change a customer, as an action',
      actions: ['updateCustomerRest'],
      ...shared,
      handler: ({ tenant, id, body }) => update(services, tenant, { id }, body),
    }),
  ];
}

const operations = { suspend: suspendCustomer, activate: activateCustomer };
const done = { suspend: 'The customer is suspended', activate: 'The customer is active' };

function actionRoutes(services: ApiServices, action: 'suspend' | 'activate'): Route[] {
  const act = async (tenant: TenantInfo, address: CustomerAddress) => {
    await writing(services, tenant, (work) => operations[action](services, work, address));
    return { success: true, message: done[action] };
  };
  const summary = `Let a customer's billing ${action === 'suspend' ? 'rest' : 'go on'}`;
  const shared = { method: 'POST', actions: [action], summary, response: statusCodec } as const;
  return [
    route({ ...shared, path: '/customer/:id', handler: ({ tenant, id }) => act(tenant, { id }) }),
    route({
      ...shared,
      path: '/customer',
      query: byReference,
      handler: ({ tenant, query }) => act(tenant, query),
    }),
  ];
}
