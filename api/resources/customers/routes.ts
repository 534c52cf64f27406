/** Customers: create, read, list, search, change, suspend, activate, delete. */
import { z } from 'zod';
import { customerStatuses } from '../../../domain/customers/status.ts';
import { contactFields } from '../../../operations/customers/contact-input.ts';
import {
  fileOfCustomers,
  listCustomers,
  readCustomer,
} from '../../../operations/customers/read.ts';
import { activateCustomer, suspendCustomer } from '../../../operations/customers/status.ts';
import { deleteCustomer } from '../../../operations/customers/delete.ts';
import { eraseCustomer } from '../../../operations/customers/erase.ts';
import { createCustomer, updateCustomer } from '../../../operations/customers/write.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import {
  type TenantInfo,
  type OperationContext,
  tenantTimeOf,
} from '../../../operations/context/context.ts';
import { addressed } from '../../calls/addressed.ts';
import type { Answer } from '../../calls/answer.ts';
import { route, writeRoute, type Route } from '../../calls/route.ts';
import type { Write } from '../../calls/call.ts';
import {
  customerCodec,
  customerCreate,
  customerList,
  customerSchema,
  customerUpdate,
  type CustomerCreateInput,
  type CustomerDocument,
  type CustomerUpdateInput,
  transitionList,
} from './schema.ts';
import { statusCodec } from '../../calls/status-schema.ts';
import { enumeration, text, date, integer } from '../../xml/types.ts';
import { customerDocument, customerInput, documentOf, newContacts } from './mapping.ts';
import { listRoute } from '../../calls/lists.ts';
import { page, pauseEndOf, until } from '../../calls/queries.ts';
import { reading, readingMore, type RouteDependencies } from '../../calls/services.ts';
import { addressesOf, validated, verdictOf, type Validated } from './validated.ts';
import { addDays, type IsoDate } from '../../../domain/calendar/calendar.ts';
import { listTransitions } from '../../../operations/standing/transitions.ts';
import { badRequest } from '../../calls/errors.ts';

export function customerRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...readRoutes(dependencies),
    ...writeRoutes(dependencies),
    ...removeRoutes(dependencies),
    ...transitionRoutes(dependencies),
    ...suspendRoutes(dependencies),
    ...eraseRoutes(dependencies),
    ...actions.flatMap((action) => actionRoutes(dependencies, action)),
  ];
}

function readRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...addressed('customer', dependencies).reads({
      summary: 'A customer with its contacts and financials',
      right: 'read',
      summaryByKey: 'A customer by its external reference',
      response: customerCodec,
      find: ({ tenant, address }) =>
        reading(dependencies, tenant, (tx) => readCustomer(dependencies, tx, tenant, address)),
      document: customerDocument,
    }),
    listRoute(dependencies, {
      name: 'customers',
      table: 'customers',
      summary: 'Customers by ascending id, filtered or searched',
      query: { status: enumeration(customerStatuses).optional(), search: text().optional() },
      response: customerList,
      isOneStatement: true,
      read: (tx, tenant, filter, { status = null, search = null }) =>
        listCustomers(tx, tenant, { ...filter, status, search }),
      document: customerDocument,
      schema: customerSchema,
      file: (tenant, filter, { status = null, search = null }) =>
        fileOfCustomers(tenant, { ...filter, status, search }),
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
  {
    tenant,
    body,
    write,
    address,
  }: WriteCall<CustomerUpdateInput> & { readonly address: CustomerAddress },
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
  const { writes } = addressed('customer', dependencies);
  const shared = { response: validated(customerCodec), validatesAddresses: true } as const;
  type Call = WriteCall<CustomerUpdateInput> & { readonly address: CustomerAddress };
  const changes = {
    ...shared,
    request: customerUpdate,
    handler: (call: Call) => update(dependencies, call),
  } as const;
  return [
    writeRoute(dependencies, {
      ...shared,
      method: 'POST',
      path: '/customers',
      summary: 'Make a customer',
      audited: 'customer',
      right: 'write',
      actions: [undefined, 'saveCustomerRest'],
      status: 201,
      request: customerCreate,
      handler: (call) => create(dependencies, call),
    }),
    ...writes({
      ...changes,
      method: 'PUT',
      summary: 'Change a customer',
      right: 'write',
      summaryByKey: 'Change a customer by its external reference',
    }),
    ...writes({
      ...changes,
      method: 'POST',
      isByIdOnly: true,
      actions: ['updateCustomerRest'],
      summary: 'Change a customer, as an action',
      right: 'write',
    }),
  ];
}

function removeRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('customer', dependencies).writes({
    method: 'DELETE',
    summary: 'Delete a customer that has no orders, invoices or payments',
    right: 'write',
    response: statusCodec,
    handler: ({ write, address }) =>
      write(async (context) => {
        await deleteCustomer(context, address);
        return { success: true, message: 'The customer is deleted' };
      }),
  });
}

interface Action {
  readonly name: string;
  readonly summary: string;
  /** Returns what the answer says. */
  readonly act: (context: OperationContext, address: CustomerAddress) => Promise<string>;
}

const actions: readonly Action[] = [
  {
    name: 'activate',
    summary: 'Resume the billing of a customer',
    async act(context, address) {
      const released = await activateCustomer(context, address);
      if (released === null) return 'The customer is active';
      return (
        `The customer is no longer held from billing (${released}); its status is as it was. ` +
        'What was due is billed at the next 00:00. Call again to activate it'
      );
    },
  },
];

function actionRoutes(dependencies: RouteDependencies, { name, summary, act }: Action): Route[] {
  return addressed('customer', dependencies).writes({
    method: 'POST',
    actions: [name],
    summary,
    right: 'write',
    response: statusCodec,
    handler: ({ write, address }) =>
      write(async (context) => ({ success: true, message: await act(context, address) })),
  });
}

function suspendRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('customer', dependencies).writes({
    method: 'POST',
    actions: ['suspend'],
    summary: 'Suspend the billing of a customer, until a day, or until it is activated',
    right: 'write',
    query: { until: until() },
    response: statusCodec,
    handler: ({ write, address, query }) =>
      write(async (context) => {
        const end = pauseEndOf(query.until, context.time.today);
        await suspendCustomer(context, address, end);
        const until = end === null ? '' : ` until ${end}`;
        return { success: true, message: `The customer is suspended${until}` };
      }),
  });
}

function eraseRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('customer', dependencies).writes({
    method: 'POST',
    actions: ['erase'],
    summary: 'Erase what is personal of a customer, for ever',
    right: 'admin',
    response: customerCodec,
    handler: ({ tenant, write, address }) =>
      write(async (context) => {
        const { customerId: id } = await eraseCustomer(context, address);
        return documentOf(dependencies, context.finalQuery, tenant, { id });
      }),
  });
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
      right: 'read',
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
