/** The metadata of objects alone, which can be replaced at any time. */
import type { PaymentType } from '../../../domain/payments/allocation.ts';
import { entriesOf, type MetadataEntry, type Metadata } from '../../../domain/text/metadata.ts';
import type { OperationContext } from '../../../operations/context/context.ts';
import {
  setMetadataOfCustomer,
  setMetadataOfInvoice,
  setMetadataOfOrder,
  setMetadataOfPayment,
} from '../../../operations/metadata/set.ts';
import { addressed } from '../../calls/addressed.ts';
import { type Route, writeRoute } from '../../calls/route.ts';
import { type RouteDependencies, paymentTarget } from '../../calls/services.ts';
import { compile } from '../../xml/codec.ts';
import { root } from '../../xml/types.ts';
import { metadata, metadataInput } from '../shared-schema.ts';

const metadataRequest = compile(root('metadata', metadata.takes()));
const metadataCodec = compile(root('metadata', metadata.says()));

const shared = {
  method: 'PUT',
  request: metadataRequest,
  response: metadataCodec,
} as const;

const below = '/metadata';

export function metadataRoutes(dependencies: RouteDependencies): Route[] {
  const own = { ...shared, below, isByIdOnly: true } as const;
  return [
    ...addressed('customer', dependencies).writes({
      ...own,
      summary: 'Replace the metadata of a customer',
      right: 'write',
      handler: ({ write, address, body }) =>
        write((context) => replaced(context, body, setMetadataOfCustomer, address)),
    }),
    ...addressed('order', dependencies).writes({
      ...own,
      summary: 'Replace the metadata of an order, at any time',
      right: 'write',
      handler: ({ write, address, body }) =>
        write((context) => replaced(context, body, setMetadataOfOrder, address)),
    }),
    ...addressed('invoice', dependencies).writes({
      ...own,
      summary: 'Replace the metadata of an invoice, at any time',
      right: 'finance',
      handler: ({ write, address, body }) =>
        write((context) => replaced(context, body, setMetadataOfInvoice, address)),
    }),
    ...paymentTypes.map((type) => paymentRoute(dependencies, type)),
  ];
}

const paymentTypes = ['Payment', 'Credit', 'Refund'] as const satisfies readonly PaymentType[];

function paymentRoute(dependencies: RouteDependencies, type: PaymentType): Route {
  const name = type.toLowerCase();
  return writeRoute(dependencies, {
    ...shared,
    path: `/${name}/:id${below}`,
    summary: `Replace the metadata of a ${name}, at any time`,
    audited: 'payment',
    right: 'finance',
    changes: ({ id }) => paymentTarget(id, type),
    handler: ({ id, body, write }) =>
      write((context) => replaced(context, body, setMetadataOfPayment, { id, type })),
  });
}

type Entries = MetadataEntry[];

async function replaced<Address>(
  context: OperationContext,
  body: Entries,
  set: (context: OperationContext, address: Address, given: Metadata | null) => Promise<void>,
  address: Address,
): Promise<Entries> {
  const given = metadataInput(body) ?? null;
  await set(context, address, given);
  return entriesOf(given);
}
