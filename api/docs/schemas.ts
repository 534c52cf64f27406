/** Every request and answer document once, under its published name. */
import type { z } from 'zod';
import { healthCodec } from '../http/health.ts';
import type { XmlRoute } from '../calls/route-types.ts';
import { statusCodec } from '../calls/status-schema.ts';
import { type Direction, xsdOf } from '../xml/xsd.ts';
import { type DescribedNode, describe } from './described.ts';

export interface PublishedSchema {
  /** The file name without `.xsd`, also the name of OpenAPI's component. */
  readonly name: string;
  readonly direction: Direction;
  /** The root element's name. */
  readonly root: string;
  readonly about: string;
  readonly node: DescribedNode;
  readonly schema: z.ZodType;
}

interface Document {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** A schema and the routes that use it. */
interface Use {
  readonly document: Document;
  readonly direction: Direction;
  readonly routes: readonly XmlRoute[];
}

export function publishSchemas(routes: readonly XmlRoute[]): PublishedSchema[] {
  const uses = usesOf(routes);
  const published = uses.map((use) => publish(use, uses));
  const names = new Set(published.map(({ name }) => name));
  if (names.size !== published.length) throw new Error('two schemas have one name');
  return published.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** `/customer/:id` → `/customer/{id}`. */
export const templated = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** Answers that every call may give have no route. */
const always: readonly Use[] = [
  { document: statusCodec, direction: 'response', routes: [] },
  { document: healthCodec, direction: 'response', routes: [] },
];

function usesOf(routes: readonly XmlRoute[]): Use[] {
  const uses = new Map<z.ZodType, Use>(always.map((use) => [use.document.schema, use]));
  const add = (document: Document, direction: Direction, route: XmlRoute) => {
    const known = uses.get(document.schema)?.routes ?? [];
    uses.set(document.schema, { document, direction, routes: [...known, route] });
  };
  for (const route of routes) {
    for (const document of route.request?.documents ?? []) add(document, 'request', route);
    for (const document of [route.response, ...(route.response.others ?? [])]) {
      add(document, 'response', route);
    }
  }
  return [...uses.values()];
}

function publish(use: Use, all: readonly Use[]): PublishedSchema {
  const { document, direction } = use;
  const node = describe(document.schema, document.name);
  const name = nameOf(use, node, all);
  const calls = use.routes.map(({ method, path }) => `${method} ${templated(path)}`);
  const about =
    calls.length === 0
      ? aboutOf(document.name)
      : `${direction === 'request' ? 'The body of' : 'The answer of'} ${calls.join(', ')}.`;
  return { name, direction, root: document.name, about, node, schema: document.schema };
}

function aboutOf(root: string): string {
  return root === 'health'
    ? 'The answer of GET /livez, /readyz and /healthz.'
    : 'The errors of a failed call, or the success of a call without another document.';
}

/** `customer`, `customer-list`, `invoice-preview-list`; `customer-create` and `customer-update`, or `invoice-request`. */
function nameOf(use: Use, node: DescribedNode, all: readonly Use[]): string {
  const root = use.document.name;
  if (root === 'list') {
    const items = itemsOf(node);
    const item = items?.xml?.name ?? 'item';
    // The same object that is not stored has no id.
    const isPreview = item === 'invoice' && items?.properties?.['id'] === undefined;
    const listed = `${item}${isPreview ? '-preview' : ''}-list`;
    if (node.properties?.['quoteHash'] !== undefined) return `quoted-${listed}`;
    return `${listed}${use.direction === 'request' ? '-request' : ''}`;
  }
  if (use.direction === 'response') return root;
  const siblings = all.filter(
    ({ direction, document }) => direction === 'request' && document.name === root,
  );
  if (siblings.length === 1) return `${root}-request`;
  const [first] = use.routes;
  const [value] = first?.selection.values ?? [];
  if (first?.selection.names.includes('mode') === true) return `${root}-${value}`;
  if (first?.method === 'PUT') return `${root}-update`;
  return first?.status === 201 ? `${root}-create` : `${root}-${value ?? 'request'}`;
}

/** Of a list that says something itself, the elements that repeat in it. */
function itemsOf(node: DescribedNode): DescribedNode | undefined {
  if (node.items !== undefined) return node.items;
  return Object.values(node.properties ?? {}).find(({ items }) => items !== undefined)?.items;
}

export const xsdOfSchema = ({ root, node, direction, about }: PublishedSchema): string =>
  xsdOf({ root, node, direction, about });
