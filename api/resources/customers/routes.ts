/** Customers: create, read, list, search, change, suspend, activate, delete. */
import { z } from 'zod';
import { customerStatuses } from '../../../domain/customers/status.ts';
import { contactFields } from '../../../operations/customers/contact-input.ts';
import { listCustomers } from '../../../operations/customers/read.ts';
import { activateCustomer, suspendCustomer } from '../../../operations/customers/status.ts';
import { deleteCustomer } from '../../../operations/customers/delete.ts';
import { createCustomer, updateCustomer } from '../../../operations/customers/write.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import {
  type TenantInfo,
  type OperationContext,
  tenantTimeOf,
} from '../../../operations/context/context.ts';
import type { Answer } from '../../calls/answer.ts';
import { route, writeRoute, type Route } from '../../calls/route.ts';
import type { Write } from '../../calls/call.ts';
import {
  customerCodec,
  customerCreate,
  customerList,
  customerUpdate,
  type CustomerCreateInput,
  type CustomerDocument,
  type CustomerUpdateInput,
  transitionList,
} from './schema.ts';
import { statusCodec, type StatusDocument } from '../../calls/status-schema.ts';
import { enumeration, text, date, integer } from '../../xml/types.ts';
import { customerDocument, customerInput, documentOf, newContacts } from './mapping.ts';
import { extCustomerRef, page, windows, windowsOf } from '../../calls/queries.ts';
import {
  customerTarget,
  reading,
  type RouteDependencies,
  readingMore,
} from '../../calls/services.ts';
import { addressesOf, validated, verdictOf, type Validated } from './validated.ts';
import { addDays, type IsoDate } from '../../../domain/calendar/calendar.ts';
import { listTransitions } from '../../../operations/standing/transitions.ts';
import { badRequest } from '../../calls/errors.ts';

const byReference = z.object({ extCustomerRef: extCustomerRef() });

export function customerRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...readRoutes(dependencies),
    ...writeRoutes(dependencies),
    ...removeRoutes(dependencies),
    ...transitionRoutes(dependencies),
    ...actionRoutes(dependencies, 'suspend'),
    ...actionRoutes(dependencies, 'activate'),
  ];
}

function readRoutes(dependencies: RouteDependencies): Route[] {
  const read = (tenant: TenantInfo, address: CustomerAddress): Promise<CustomerDocument> =>
    reading(dependencies, tenant, (tx) => documentOf(dependencies, tx, tenant, address));
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
        reading(dependencies, tenant, async (tx) => {
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
  readonly write: Write<Validated<CustomerDocument>>;
};

async function create(
  dependencies: RouteDependencies,
  { tenant, body, write }: WriteCall<CustomerCreateInput>,
): Promise<Answer> {
  const contacts = await newContacts(dependencies, tenant, body);
  const verdict = await verdictOf(dependencies, tenant, addressesOf(body), null);
  return write(async (context) => {
    const id = await createCustomer(context, customerInput(body), contacts);
    const made = await documentOf(dependencies, context.finalQuery, tenant, { id });
    return verdict.answer(made, made);
  }, verdict.options);
}

async function update(
  dependencies: RouteDependencies,
  address: CustomerAddress,
  { tenant, body, write }: WriteCall<CustomerUpdateInput>,
): Promise<Answer> {
  const { billingContact, salesContact } = body;
  const hashing = { hashCost: dependencies.hashCost, tenant };
  const contacts = {
    billing: billingContact && (await contactFields(billingContact, hashing)),
    sales: salesContact && (await contactFields(salesContact, hashing)),
  };
  const verdict = await verdictOf(dependencies, tenant, addressesOf(body), address);
  return write(async (context) => {
    const id = await updateCustomer(context, address, customerInput(body), contacts);
    const changed = await documentOf(dependencies, context.finalQuery, tenant, { id });
    return verdict.answer(changed, changed);
  }, verdict.options);
}

function writeRoutes(dependencies: RouteDependencies): Route[] {
  const shared = {
    summary: 'Change a customer',
    request: customerUpdate,
    response: validated(customerCodec),
    validatesAddresses: true,
  } as const;
  const byId = {
    ...shared,
    path: '/customer/:id',
    changes: ({ id }: { readonly id: number }) => customerTarget({ id }),
    handler: (call: WriteCall<CustomerUpdateInput> & { readonly id: number }) =>
      update(dependencies, { id: call.id }, call),
  } as const;
  return [
    writeRoute(dependencies, {
      method: 'POST',
      path: '/customers',
      summary: 'Make a customer',
      actions: [undefined, 'saveCustomerRest'],
      status: 201,
      request: customerCreate,
      response: validated(customerCodec),
      validatesAddresses: true,
      handler: (call) => create(dependencies, call),
    }),
    writeRoute(dependencies, { ...byId, method: 'PUT' }),
    writeRoute(dependencies, {
      ...byId,
      method: 'POST',
      summary: 'Change a customer, as an action',
      actions: ['updateCustomerRest'],
    }),
    writeRoute(dependencies, {
      ...shared,
      method: 'PUT',
      path: '/customer',
      summary: 'Change a customer by its external reference',
      query: byReference,
      changes: ({ query }) => customerTarget(query),
      handler: (call) => update(dependencies, call.query, call),
    }),
  ];
}

function removeRoutes(dependencies: RouteDependencies): Route[] {
  const remove = (write: Write<StatusDocument>, address: CustomerAddress) =>
    write(async (context) => {
      await deleteCustomer(context, address);
      return { success: true, message: 'The customer is deleted' };
    });
  const shared = {
    method: 'DELETE',
    summary: 'Delete a customer that has no orders, invoices or payments',
    response: statusCodec,
  } as const;
  return [
    writeRoute(dependencies, {
      ...shared,
      path: '/customer/:id',
      changes: ({ id }) => customerTarget({ id }),
      handler: ({ write, id }) => remove(write, { id }),
    }),
    writeRoute(dependencies, {
      ...shared,
      path: '/customer',
      query: byReference,
      changes: ({ query }) => customerTarget(query),
      handler: ({ write, query }) => remove(write, query),
    }),
  ];
}

const operations = {
  async suspend(context: OperationContext, address: CustomerAddress): Promise<string> {
    await suspendCustomer(context, address);
    return 'The customer is suspended';
  },
  async activate(context: OperationContext, address: CustomerAddress): Promise<string> {
    const released = await activateCustomer(context, address);
    if (released === null) return 'The customer is active';
    return (
      `The customer is no longer held from billing (${released}); its status is as it was. ` +
      'What was due is billed at the next 00:00. Call again to activate it'
    );
  },
};

function actionRoutes(dependencies: RouteDependencies, action: 'suspend' | 'activate'): Route[] {
  const act = (write: Write<StatusDocument>, address: CustomerAddress) =>
    write(async (context) => ({
      success: true,
      message: await operations[action](context, address),
    }));
  const summary = `${action === 'suspend' ? 'Suspend' : 'Resume'} the billing of a customer`;
  const shared = { method: 'POST', actions: [action], summary, response: statusCodec } as const;
  return [
    writeRoute(dependencies, {
      ...shared,
      path: '/customer/:id',
      changes: ({ id }) => customerTarget({ id }),
      handler: ({ write, id }) => act(write, { id }),
    }),
    writeRoute(dependencies, {
      ...shared,
      path: '/customer',
      query: byReference,
      changes: ({ query }) => customerTarget(query),
      handler: ({ write, query }) => act(write, query),
    }),
  ];
}

/* Transitions of customers' statuses, in a window of days. */

const DAYS_DEFAULT = 30;
const DAYS_AGO_MAX = 36_500;

const days = {
  startDate: date().optional(),
  endDate: date().optional(),
  daysAgo: integer(0, DAYS_AGO_MAX).optional(),
};

type Days = z.output<z.ZodObject<typeof days>>;

function transitionRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/customers/transitions',
      summary: "Changes of customers' statuses, the newest first",
      query: z.object({ ...page, ...days }),
      response: transitionList,
      handler: ({ tenant, query }) =>
        readingMore(dependencies, tenant, async (tx) => {
          const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
          const { offset, max } = query;
          return listTransitions(tx, { offset, max, ...windowOf(query, today) });
        }),
    }),
  ];
}

function windowOf(
  { startDate, endDate, daysAgo }: Days,
  today: IsoDate,
): { readonly startDate: IsoDate; readonly endDate: IsoDate } {
  if (startDate !== undefined && daysAgo !== undefined) {
    const message = 'daysAgo and startDate exclude each other';
    throw badRequest('query.invalid', message, 'daysAgo', String(daysAgo));
  }
  const end = endDate ?? today;
  const start = startDate ?? addDays(end, -(daysAgo ?? DAYS_DEFAULT));
  if (end < start) {
    throw badRequest('query.invalid', 'endDate is before startDate', 'endDate', end);
  }
  return { startDate: start, endDate: end };
}
