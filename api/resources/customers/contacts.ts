/** A customer's contacts, each in both addressing forms. */
import { contactFields } from '../../../operations/customers/contact-input.ts';
import {
  addContact,
  deleteContact,
  updateContact,
} from '../../../operations/customers/contact-write.ts';
import { readCustomer, type FullCustomerView } from '../../../operations/customers/read.ts';
import type { Reader } from '../../../operations/context/listing.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import { addressed } from '../../calls/addressed.ts';
import type { Route } from '../../calls/route.ts';
import { contactCodecs, type ContactDocument } from './schema.ts';
import { statusCodec } from '../../calls/status-schema.ts';
import { found, reading, type RouteDependencies } from '../../calls/services.ts';
import { validated, verdictOf } from './validated.ts';

type Name = keyof typeof contactCodecs;

const kindOf = { billingContact: 'billing', salesContact: 'sales' } as const;

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

function readRoutes(dependencies: RouteDependencies, name: Name): Route[] {
  return addressed('customer', dependencies).reads({
    below: `/${name}`,
    summary: `The ${name} of a customer`,
    right: 'read',
    response: contactCodecs[name].response,
    find: ({ tenant, address }) =>
      reading(dependencies, tenant, (tx) => contactOf(dependencies, tx, tenant, { name, address })),
    document: ({ contact }) => contact,
  });
}

const writings = {
  PUT: { summary: 'Change', status: 200, operation: updateContact },
  POST: { summary: 'Make', status: 201, operation: addContact },
} as const;

function writeRoutes(dependencies: RouteDependencies, name: Name, method: 'PUT' | 'POST'): Route[] {
  const { summary, status, operation } = writings[method];
  const { request, response } = contactCodecs[name];
  return addressed('customer', dependencies).writes({
    method,
    below: `/${name}`,
    summary: `${summary} the ${name} of a customer`,
    right: 'write',
    status,
    request,
    response: validated(response),
    validatesAddresses: true,
    async handler({ tenant, body, write, address }) {
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
    },
  });
}

function removeRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('customer', dependencies).writes({
    method: 'DELETE',
    below: '/salesContact',
    summary: 'Delete the salesContact of a customer',
    right: 'write',
    response: statusCodec,
    handler: ({ write, address }) =>
      write(async (work) => {
        await deleteContact(work, address, 'sales');
        return { success: true, message: 'The salesContact is deleted' };
      }),
  });
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
