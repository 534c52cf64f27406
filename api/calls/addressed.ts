/** Makes both forms of a route of an object: by its id in the path, and by its key in the query. */
import { z } from 'zod';
import type { AuditedType } from '../../domain/access/audit-log.ts';
import type {
  CustomerAddress,
  InvoiceAddress,
  NumberedAddress,
} from '../../operations/context/locks.ts';
import type { Versioned } from '../../operations/context/versions.ts';
import type { PlanAddress } from '../../operations/plans/read.ts';
import type { RecordAddress } from '../../operations/usage/remove.ts';
import { text } from '../xml/types.ts';
import type { Answer } from './answer.ts';
import type { Call, WriteCall } from './call.ts';
import { badRequest } from './errors.ts';
import { extCustomerRef, objectId, orderNumberOf } from './queries.ts';
import { route, writeRoute, type ReadSpec, type Route, type WriteSpec } from './route.ts';
import { found, type FoundKind, type RouteDependencies } from './services.ts';

type Shape = z.ZodRawShape;
type QueryOf<Extra extends Shape> = z.output<z.ZodObject<Extra>>;

interface Forms<Extra extends Shape> {
  /** What follows the address: `/canEdit`. */
  readonly below?: string;
  /** The parameters of both forms. */
  readonly query?: Extra;
  readonly summary: string;
  /** Of the form by the key, if it says something else. */
  readonly summaryByKey?: string;
  /** There is no form by the key. */
  readonly isByIdOnly?: boolean;
}

type Made = 'path' | 'query' | 'changes' | 'audited' | 'handler' | 'formats';

type At<Address> = { readonly address: Address };
type ReadCall<Address, Extra extends Shape> = Call<QueryOf<Extra>, undefined> & At<Address>;

export interface AddressedRead<Address, View, Result, Extra extends Shape>
  extends Forms<Extra>, Omit<ReadSpec<z.ZodObject, undefined, Result>, Made | 'method'> {
  /** Nothing found is a 404. */
  readonly find: (call: ReadCall<Address, Extra>) => Promise<View | undefined>;
  readonly document: (view: View) => Result;
  /** What the 404 ends with. */
  readonly hint?: (call: ReadCall<Address, Extra>) => Promise<string>;
  readonly formats?: Readonly<Record<string, (call: ReadCall<Address, Extra>) => Promise<Answer>>>;
}

export interface AddressedWrite<Address, Result, Body, Extra extends Shape>
  extends Forms<Extra>, Omit<WriteSpec<z.ZodObject, Body, Result>, Made> {
  /** It ignores If-Match. */
  readonly isUnversioned?: boolean;
  readonly handler: (
    call: WriteCall<QueryOf<Extra>, Body, Result> & At<Address>,
  ) => Promise<Answer>;
}

type None = Record<never, never>;

export interface Addressed<Address> {
  readonly reads: <View, Result, Extra extends Shape = None>(
    spec: AddressedRead<Address, View, Result, Extra>,
  ) => Route[];
  readonly writes: <Result, Body = undefined, Extra extends Shape = None>(
    spec: AddressedWrite<Address, Result, Body, Extra>,
  ) => Route[];
}

/**
 * The routes of an object in both forms. What a read does not find is a 404, and a write obeys
 * If-Match.
 *
 * @example addressed('order', dependencies).reads({ summary, response, find, document })
 */
export function addressed<Name extends keyof typeof ways>(
  name: Name,
  dependencies: RouteDependencies,
): Addressed<AddressOf<Name>> {
  type Address = AddressOf<Name>;
  const way = ways[name] as unknown as Way<Shape, Address>;
  const { missing, audited, versioned } = way;
  return {
    reads<View, Result, Extra extends Shape>({
      find,
      document,
      hint,
      formats = {},
      ...spec
    }: AddressedRead<Address, View, Result, Extra>) {
      type Read = Call<QueryOf<Extra>, undefined>;
      return formsOf(way, spec).map(({ at, ...form }) =>
        route({
          ...spec,
          ...form,
          method: 'GET',
          formats: Object.fromEntries(
            Object.entries(formats).map(([key, give]) => [key, (call: Read) => give(at(call))]),
          ),
          async handler(named) {
            const call = at(named);
            const view = await find(call);
            const end = view === undefined ? await hint?.(call) : undefined;
            return document(found(missing, view, call.address, end));
          },
        }),
      );
    },
    writes<Result, Body, Extra extends Shape>({
      handler,
      isUnversioned = false,
      ...spec
    }: AddressedWrite<Address, Result, Body, Extra>) {
      type Change = Call<QueryOf<Extra>, Body>;
      const obeys = versioned !== undefined && !isUnversioned;
      return formsOf(way, spec).map(({ at, ...form }) =>
        writeRoute<Result, z.ZodObject<Extra>, Body>(dependencies, {
          ...spec,
          ...form,
          audited,
          ...(obeys && { changes: (call: Change) => versioned(at(call).address) }),
          handler: (call) => handler(at(call)),
        }),
      );
    },
  };
}

interface Named {
  readonly id: number;
  readonly query: object;
}

function formsOf<Address extends object, Extra extends Shape>(
  { path, key, addressOf }: Way<Shape, Address>,
  { below = '', isByIdOnly = false, query, summary, summaryByKey = summary }: Forms<Extra>,
) {
  const form = (start: string, named: Shape, addressIn: (call: Named) => Address) => ({
    path: `${start}${below}`,
    // What names the object comes first.
    query: z.object({ ...named, ...query }) as unknown as z.ZodObject<Extra>,
    at: <Of extends Named>(call: Of): Of & At<Address> => ({ ...call, address: addressIn(call) }),
  });
  const byId = form(`${path}/:id`, {}, ({ id }) => ({ id }) as Address);
  const byKey = form(path, key, (call) => addressOf(call.query as QueryOf<Shape>));
  return [{ ...byId, summary }, ...(isByIdOnly ? [] : [{ ...byKey, summary: summaryByKey }])];
}

/** How calls name an object. */
interface Way<Key extends Shape, Address> {
  /** The id follows, or nothing. */
  readonly path: string;
  /** The parameters of the query in place of the id. */
  readonly key: Key;
  readonly addressOf: (key: QueryOf<Key>) => Address;
  /** What is missing if there is no such object. */
  readonly missing: FoundKind;
  /** What a write is about in the audit log; null if none names it so. */
  readonly audited: AuditedType | null;
  /** What If-Match names, if the object has a version. */
  readonly versioned?: (address: Address) => Versioned;
}

type AddressOf<Name extends keyof typeof ways> = ReturnType<(typeof ways)[Name]['addressOf']>;

const way = <Key extends Shape, Address>(of: Way<Key, Address>) => of;

const ways = {
  customer: way({
    path: '/customer',
    key: { extCustomerRef: extCustomerRef() },
    addressOf: ({ extCustomerRef: reference }): CustomerAddress => ({ extCustomerRef: reference }),
    missing: 'customer',
    audited: 'customer',
    // Its contacts share its version.
    versioned: (address) => ({ kind: 'customer', address }),
  }),
  order: way({
    path: '/order',
    key: { orderNumber: text() },
    addressOf: ({ orderNumber }): NumberedAddress => ({ number: orderNumberOf(orderNumber) }),
    missing: 'order',
    audited: 'subscriptionOrder',
    versioned: (address) => ({ kind: 'order', address }),
  }),
  invoice: way({
    path: '/invoice',
    key: { invoiceNumber: text() },
    addressOf: ({ invoiceNumber }): InvoiceAddress => ({ number: invoiceNumber }),
    missing: 'invoice',
    audited: 'invoice',
    versioned: (address) => ({ kind: 'invoice', address }),
  }),
  plan: way({
    path: '/plan',
    key: { contractCode: text() },
    addressOf: ({ contractCode }): PlanAddress => ({ contractCode }),
    missing: 'plan',
    audited: null,
  }),
  // Of a customer, which the query may name by its id, too.
  paymentPlan: way({
    path: '/customers',
    key: { id: objectId().optional(), extCustomerRef: extCustomerRef().optional() },
    addressOf: customerOf,
    missing: 'customer',
    audited: 'customer',
    versioned: (address) => ({ kind: 'paymentPlan', address }),
  }),
  activity: way({
    path: '/activity',
    key: { extRefId: text() },
    addressOf: ({ extRefId }): RecordAddress => ({ extRefId }),
    missing: 'activity',
    audited: 'activity',
  }),
} as const;

interface CustomerKey {
  readonly id?: number | undefined;
  readonly extCustomerRef?: string | undefined;
}

function customerOf({ id, extCustomerRef: reference }: CustomerKey): CustomerAddress {
  if (id !== undefined && reference !== undefined) {
    throw badRequest('query.invalid', 'id and extCustomerRef exclude each other', 'id');
  }
  if (id !== undefined) return { id };
  if (reference !== undefined) return { extCustomerRef: reference };
  throw badRequest('query.required', 'id or extCustomerRef is required', 'id');
}
