/** The calls of the interface as methods of the clients: one for both addresses of an object. */
import type { z } from 'zod';
import type { XmlRoute } from '../../calls/route-types.ts';
import { selectorOf } from '../calls.ts';
import { type DescribedNode, describe } from '../described.ts';
import { type PublishedSchema, templated } from '../schemas.ts';

/** How the pages of a list follow each other. */
export type Paging =
  /** By the header `Link`. */
  | 'link'
  /** By the number of objects before. */
  | 'offset'
  /** By this field of the last object. */
  | { readonly after: 'sequence' | 'cursor' };

export interface ClientBody {
  /** The parameter of the method: the root element, or the items of a list. */
  readonly key: string;
  readonly published: PublishedSchema;
}

export interface ClientCall {
  /** `getCustomer` */
  readonly name: string;
  readonly route: XmlRoute;
  /** Without an id: `/customer`; undefined if the call needs one. */
  readonly path: string | undefined;
  /** `/customer/{id}` */
  readonly pathById: string | undefined;
  /** The further parameters in the path. */
  readonly inPath: readonly string[];
  /** What addresses the object in place of an id: `extCustomerRef`. */
  readonly address: readonly string[];
  /** The query by name, without the address; `metadata.KEY` is among them. */
  readonly query: Readonly<Record<string, DescribedNode>>;
  readonly required: ReadonlySet<string>;
  /** `['actionName', 'suspend']` */
  readonly selection: readonly [string, string] | undefined;
  readonly bodies: readonly ClientBody[];
  readonly answers: readonly PublishedSchema[];
  /** The element of a list whose items the call returns. */
  readonly items: string | undefined;
  readonly paging: Paging | undefined;
}

/** Names that the rule below would make worse. */
const ownNames: Readonly<Record<string, string>> = {
  'POST /order generateInvoice': 'generateOrderInvoice',
  'POST /orders rateOrder': 'rateOrder',
  'POST /changeOrder': 'changeOrder',
  'POST /customers/notification': 'sendNotification',
  'POST /testClock': 'advanceTestClock',
  'GET /signup/start': 'startSignup',
  'GET /signup/verify/{tracking}': 'verifySignup',
  'GET /widget/start': 'startWidget',
  'POST /customers addCustomerAndOrder': 'addCustomerAndOrder',
  'POST /customer updateCustomerRest': 'updateCustomerRest',
  'POST /batchProcess BatchInit': 'createBatchInit',
  'POST /batchProcess StorageFileUpload': 'createFileUpload',
  'PUT /batchProcess BatchFinalize': 'finalizeFileUpload',
  'GET /order/canEdit': 'canEditOrder',
};

export function clientCallsOf(
  routes: readonly XmlRoute[],
  published: readonly PublishedSchema[],
): ClientCall[] {
  const together = Map.groupBy(routes, (route) =>
    [route.method, withoutId(route), route.selection.values[0], route.response.name].join(' '),
  );
  const calls = [...together.values()].map((forms) => callOf(forms, published));
  const names = new Set(calls.map(({ name }) => name));
  if (names.size !== calls.length) throw new Error('two calls have one name');
  return calls.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const withoutId = ({ path }: XmlRoute): string => path.replace('/:id', '');
const hasId = ({ path }: XmlRoute): boolean => path.includes('/:id');

function callOf(forms: readonly XmlRoute[], published: readonly PublishedSchema[]): ClientCall {
  const byId = forms.find(hasId);
  const plain = forms.find((route) => !hasId(route));
  const route = byId ?? plain;
  if (route === undefined || forms.length > 2) throw new Error('a call has one or two addresses');
  const own = describe((plain ?? route).query, '?');
  const shared = describe(route.query, '?');
  const isAddress = (name: string) =>
    byId !== undefined && plain !== undefined && shared.properties?.[name] === undefined;
  const names = Object.keys(own.properties ?? {});
  const answers = [route.response, ...(route.response.others ?? [])].map(({ schema }) =>
    publishedOf(schema, published),
  );
  const items = itemsOf(answers);
  const [value] = route.selection.values;
  return {
    name: nameOf(route, items !== undefined),
    route,
    path: plain && templated(plain.path),
    pathById: byId && templated(byId.path),
    inPath: Object.keys(route.pathParameters).filter((name) => name !== 'id'),
    address: names.filter((name) => isAddress(name) && name !== 'id'),
    query: Object.fromEntries(
      Object.entries(own.properties ?? {}).filter(([name]) => !isAddress(name)),
    ),
    required: new Set((own.required ?? []).filter((name) => !isAddress(name))),
    selection: value === undefined ? undefined : [selectorOf(route), value],
    bodies: (route.request?.documents ?? []).map(({ schema }) => bodyOf(schema, published)),
    answers,
    items,
    paging: items === undefined ? undefined : pagingOf(names, items),
  };
}

function publishedOf(schema: z.ZodType, all: readonly PublishedSchema[]): PublishedSchema {
  const found = all.find((each) => each.schema === schema);
  if (found === undefined) throw new Error('a document is not published');
  return found;
}

/** The parts of a list that repeat in place, or its only items. */
export function listedIn({ root, node }: PublishedSchema): string | undefined {
  return root === 'list' && node.items !== undefined ? (node.items.xml?.name ?? 'item') : undefined;
}

/** The ledger's list says something itself, and is still a list. */
const LEDGER = 'ledgerEntry-list';

function itemsOf(answers: readonly PublishedSchema[]): string | undefined {
  const [first] = answers;
  if (first?.name === LEDGER) return 'ledgerEntry';
  return first === undefined ? undefined : listedIn(first);
}

function bodyOf(schema: z.ZodType, all: readonly PublishedSchema[]): ClientBody {
  const published = publishedOf(schema, all);
  const item = listedIn(published);
  return { key: item === undefined ? published.root : plural(item), published };
}

const plural = (word: string): string =>
  word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;

function pagingOf(names: readonly string[], items: string): Paging | undefined {
  if (names.includes('offset')) return names.includes('after') ? 'link' : 'offset';
  if (!names.includes('after')) return undefined;
  return { after: items === 'ledgerEntry' ? 'cursor' : 'sequence' };
}

const verbs = { GET: 'get', POST: 'create', PUT: 'update', DELETE: 'delete' } as const;

/** `POST /customer?actionName=suspend` → `suspendCustomer`; the last word alone may be a plural. */
function nameOf(route: XmlRoute, isList: boolean): string {
  const path = templated(withoutId(route));
  const [value] = route.selection.values;
  const own = ownNames[[route.method, path, value].filter(Boolean).join(' ')];
  if (own !== undefined) return own;
  const words = path.split('/').filter((word) => word !== '' && !word.startsWith('{'));
  const keepsPlural = isList || route.request?.documents[0]?.name === 'list';
  const named = words.map((word, at) => {
    const isLast = at === words.length - 1;
    return capital(isLast && (keepsPlural || word === 'sessions') ? word : singular(word));
  });
  const verb = value ?? (isList && route.method === 'GET' ? 'list' : verbs[route.method as 'GET']);
  return verb + named.join('');
}

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
