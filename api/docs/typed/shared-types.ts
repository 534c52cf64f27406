/**
 * The types of all documents together: one for each kind of element, which requests and answers
 * share. The bundled XSD, the tables of the clients and the classes of Python are written from them.
 */
import type { DescribedNode } from '../described.ts';
import type { PublishedSchema } from '../schemas.ts';

export type ScalarType = 'text' | 'integer' | 'boolean' | 'decimal' | 'date' | 'instant';

export interface ScalarContent {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  /** Some document has it empty. */
  readonly isNullable: boolean;
  readonly choices: readonly string[];
  /** Beyond 32 bits. */
  readonly isLong: boolean;
}

export type Content =
  | ScalarContent
  /** `type` names a shared type. */
  | { readonly kind: 'object'; readonly type: string }
  /** Items in an element of their own. */
  | { readonly kind: 'list'; readonly item: string; readonly of: Content };

export interface Part {
  readonly key: string;
  readonly place: 'attribute' | 'element' | 'text';
  /** Its items stand in place, each under this key. */
  readonly isRepeated: boolean;
  readonly content: Content;
  /** It is never answered, and no program may print it. */
  readonly isSecret: boolean;
  readonly about: string;
}

export interface SharedType {
  readonly name: string;
  /** The element that it is for, if that is the root of a document. */
  readonly root: string | undefined;
  readonly parts: ReadonlyMap<string, Part>;
}

export interface SharedTypes {
  /** By name. */
  readonly types: ReadonlyMap<string, SharedType>;
  /** The content of each root element. */
  readonly roots: ReadonlyMap<string, Content>;
}

/** The type of an element that has an id alone. */
export const REFERENCE = 'Reference';

/** Where an element's name says too little, by its parent. */
export const ownNames: Readonly<Record<string, string>> = {
  'metadata/entry': 'MetadataEntry',
  'list/entry': 'TimelineEntry',
  // Languages have types of these names.
  'errors/error': 'StatusError',
  'auditEntry/object': 'ObjectReference',
  'event/object': 'ObjectReference',
};

interface Draft {
  readonly name: string;
  readonly root: string | undefined;
  readonly parts: Map<string, Part>;
}

interface Drafts {
  readonly types: Map<string, Draft>;
  readonly rootNames: ReadonlySet<string>;
}

export function sharedTypesOf(published: readonly PublishedSchema[]): SharedTypes {
  const rootNames = new Set(published.map(({ root }) => root));
  const drafts: Drafts = { types: new Map(), rootNames };
  const roots = new Map<string, Content>();
  // Answers first: the order of their elements is that of a type.
  const inOrder = published.toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const { root, node } of inOrder) roots.set(root, contentOfRoot(drafts, node, root));
  return { types: drafts.types, roots };
}

const rankOf = ({ direction }: PublishedSchema): number => (direction === 'response' ? 0 : 1);

/** A document that is a list has items of several kinds, each of which stands in place. */
function contentOfRoot(drafts: Drafts, node: DescribedNode, root: string): Content {
  if (root !== 'list' || node.items === undefined) return contentOf(drafts, node, root, '');
  const item = node.items.xml?.name ?? 'item';
  const properties = { [item]: { type: 'array', items: node.items, xml: { wrapped: false } } };
  return contentOf(drafts, { properties }, root, '');
}

export const capital = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

function contentOf(drafts: Drafts, node: DescribedNode, element: string, parent: string): Content {
  if (node.properties !== undefined) {
    return { kind: 'object', type: typeOf(drafts, node.properties, element, parent) };
  }
  if (node.items === undefined) return scalarOf(node);
  const item = node.items.xml?.name ?? 'item';
  return { kind: 'list', item, of: contentOf(drafts, node.items, item, element) };
}

type Properties = Readonly<Record<string, DescribedNode>>;

function typeOf(drafts: Drafts, properties: Properties, element: string, parent: string): string {
  const isRoot = drafts.rootNames.has(element);
  const name = isRoot ? capital(element) : nameOf(drafts, properties, element, parent);
  let draft = drafts.types.get(name);
  if (draft === undefined) {
    draft = { name, root: isRoot ? element : undefined, parts: new Map() };
    drafts.types.set(name, draft);
  }
  for (const part of partsOf(drafts, properties, element)) {
    const known = draft.parts.get(part.key);
    draft.parts.set(part.key, known === undefined ? part : merged(name, known, part));
  }
  return name;
}

/** Elements of one name share a type if their parts have to do with each other. */
function nameOf(drafts: Drafts, properties: Properties, element: string, parent: string): string {
  if (isReference(properties)) return REFERENCE;
  const own = ownNames[`${parent}/${element}`];
  if (own !== undefined) return own;
  const plain = capital(element);
  const known = drafts.types.get(plain)?.parts ?? new Map();
  const keys = Object.keys(properties);
  const isAlike = known.size === 0 || keys.length === 0 || keys.some((key) => known.has(key));
  return isAlike ? plain : capital(parent) + plain;
}

function isReference(properties: Properties): boolean {
  const [id, ...others] = Object.entries(properties);
  return others.length === 0 && id?.[0] === 'id' && id[1].type === 'integer';
}

function partsOf(drafts: Drafts, properties: Properties, element: string): Part[] {
  return Object.entries(properties).map(([key, node]) => {
    const isRepeated = node.items !== undefined && node.xml?.wrapped === false;
    const content = contentOf(drafts, (isRepeated && node.items) || node, key, element);
    const place = placeOf(node);
    const about = node.description ?? '';
    return { key, place, isRepeated, content, isSecret: node.writeOnly === true, about };
  });
}

function placeOf({ xml }: DescribedNode): Part['place'] {
  if (xml?.nodeType === 'text') return 'text';
  return xml?.attribute === true ? 'attribute' : 'element';
}

function scalarOf(node: DescribedNode): ScalarContent {
  const { maximum = 0, minimum = 0 } = node;
  return {
    kind: 'scalar',
    type: scalarTypeOf(node),
    isNullable: node.nullable === true,
    choices: node.enum ?? [],
    isLong: Math.max(maximum, -minimum) > 2_147_483_647,
  };
}

function scalarTypeOf({ type, format }: DescribedNode): ScalarType {
  if (type === 'integer' || type === 'boolean') return type;
  if (format === 'date' || format === 'decimal') return format;
  return format === 'date-time' ? 'instant' : 'text';
}

/** What two documents say of one part, together. */
function merged(type: string, one: Part, other: Part): Part {
  const place = `${type}.${one.key}`;
  if (one.place !== other.place || one.isRepeated !== other.isRepeated) {
    throw new Error(`${place} has two forms`);
  }
  const content = mergedContent(place, one.content, other.content);
  const about = one.about === '' ? other.about : one.about;
  return { ...one, content, about, isSecret: one.isSecret || other.isSecret };
}

function mergedContent(place: string, one: Content, other: Content): Content {
  if (one.kind === 'scalar' && other.kind === 'scalar' && one.type === other.type) {
    // One that takes any text besides takes more than those of the other.
    const isOpen = one.choices.length === 0 || other.choices.length === 0;
    return {
      ...one,
      isNullable: one.isNullable || other.isNullable,
      isLong: one.isLong || other.isLong,
      choices: isOpen ? [] : [...new Set([...one.choices, ...other.choices])],
    };
  }
  if (one.kind === 'object' && other.kind === 'object' && one.type === other.type) return one;
  if (one.kind === 'list' && other.kind === 'list' && one.item === other.item) {
    return { ...one, of: mergedContent(place, one.of, other.of) };
  }
  throw new Error(`${place} has two contents: ${shown(one)} and ${shown(other)}`);
}

const shown = (content: Content): string =>
  content.kind === 'scalar' || content.kind === 'object' ? content.type : `list of ${content.item}`;
