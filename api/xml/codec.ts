/**
 * Compiles a zod schema into an XML decoder and encoder. It walks the schema once; the decoder then
 * collects every error of a document, and the encoder only concatenates strings.
 */
import type { z } from 'zod';
import { RequestError, badRequest } from '../calls/errors.ts';
import { shape } from './decode.ts';
import { ErrorList, explain, namingItem } from './explain.ts';
import { type XmlDocument, decodeUtf8, parseXml } from './parse.ts';
import {
  type Field,
  type ListPlan,
  type ObjectPlan,
  type Plan,
  type SchemaNode,
  compileNode,
  schemaOf,
} from './plan.ts';
import { mapInSlices } from './slices.ts';

/** A document by its root element. */
export interface DocumentSchema {
  readonly name: string;
  readonly schema: z.ZodType;
}

export interface OtherDocument extends DocumentSchema {
  /** The only status with which it comes, and the only document that comes with that. */
  readonly status?: number;
}

/** Reads documents of one schema, or of several that differ by root element. */
export interface Decoder<T> extends DocumentSchema {
  /** All documents that it reads; the first gives it its name. */
  readonly documents: readonly DocumentSchema[];
  /** Throws a RequestError that lists everything wrong with the document. */
  readonly decode: (document: Uint8Array | string) => T;
  /** The same for a parsed document whose root element is one of those. */
  readonly read: (tree: XmlDocument) => T;
}

/** Writes documents of one schema. */
export interface Encoder<T> {
  /** The root element's name. */
  readonly name: string;
  readonly schema: z.ZodType;
  /** Further documents, which it writes for other values. */
  readonly others?: readonly OtherDocument[];
  readonly encode: (value: T) => string;
  /** The same, but other calls get turns between the items of a list. */
  readonly encodeInSlices: (value: T) => Promise<string>;
}

export interface Codec<T> extends Decoder<T>, Encoder<T> {
  readonly schema: z.ZodType<T>;
}

/**
 * The schema is walked at the first document: walking all of them would take a tenth of a process's
 * start, and most processes read and write few of them.
 */
export function compile<S extends z.ZodType>(schema: S): Codec<z.output<S>> {
  const name = rootOf(schema);
  let compiled: Compiled | undefined;
  const parts = (): Compiled => (compiled ??= compiledOf(schema, name));
  const write = (value: unknown): string => parts().write(value);
  const read = ({ node: content }: XmlDocument): z.output<S> => {
    const { plan } = parts();
    const errors = new ErrorList();
    // An empty root is an object or a list without its required parts.
    const value = shape(plan, content, name, errors) ?? {};
    return judge(schema, plan, name, value, errors);
  };
  async function encodeInSlices(value: z.output<S>): Promise<string> {
    const { writeItem } = parts();
    if (writeItem === undefined || !Array.isArray(value) || value.length === 0) {
      return XML_DECLARATION + write(value);
    }
    const items = await mapInSlices<unknown, string>(value, writeItem);
    return `${XML_DECLARATION}<${name}>${items.join('')}</${name}>`;
  }
  return {
    name,
    schema: schema as unknown as z.ZodType<z.output<S>>,
    documents: [{ name, schema }],
    read,
    decode: (document) => read(parsed(document, [name])),
    encode: (value) => XML_DECLARATION + write(value),
    encodeInSlices,
  };
}

interface Compiled {
  readonly plan: Plan;
  readonly write: Writer;
  /** Of a list. */
  readonly writeItem: Writer | undefined;
}

function compiledOf(schema: z.ZodType, name: string): Compiled {
  const plan = compileNode(schemaOf(schema));
  const writeItem = plan.kind === 'list' ? compileWriter(plan.item, plan.itemName) : undefined;
  return { plan, write: compileWriter(plan, name), writeItem };
}

function rootOf(schema: z.ZodType): string {
  const { xml } = (schema.meta() ?? {}) as Pick<SchemaNode, 'xml'>;
  if (xml?.name === undefined) {
    throw new Error('a document schema needs the name of its root element');
  }
  return xml.name;
}

/** The content of a document, and its root element. */
export interface Rooted<T> {
  /** The root element's name. */
  readonly root: string;
  readonly value: T;
}

/** Reads each of several documents with the same kind of content. */
export function byRoot<T>(first: Decoder<T>, ...others: readonly Decoder<T>[]): Decoder<Rooted<T>> {
  const decoders = new Map([first, ...others].map((each) => [each.name, each]));
  const read = (tree: XmlDocument): Rooted<T> => ({
    root: tree.name,
    value: (decoders.get(tree.name) ?? first).read(tree),
  });
  return {
    name: first.name,
    schema: first.schema,
    documents: [...decoders.values()].flatMap(({ documents }) => documents),
    read,
    decode: (document) => read(parsed(document, [...decoders.keys()])),
  };
}

function parsed(document: Uint8Array | string, names: readonly string[]): XmlDocument {
  const tree = parseXml(typeof document === 'string' ? document : decodeUtf8(document));
  if (names.includes(tree.name)) return tree;
  const expected = names.map((name) => `"${name}"`).join(' or ');
  const message = `The root element must be ${expected}, not "${tree.name.slice(0, 60)}"`;
  throw badRequest('document.root', message, tree.name.slice(0, 60));
}

function judge<S extends z.ZodType>(
  schema: S,
  plan: Plan,
  name: string,
  value: unknown,
  errors: ErrorList,
): z.output<S> {
  const judged = schema.safeParse(value);
  if (!judged.success) explain(plan, name, value, judged.error.issues, errors);
  if (!judged.success || !errors.isEmpty) {
    throw new RequestError(400, errors.toArray().map(namingItem(plan, name)));
  }
  return judged.data;
}

/* Writes either one object or a list, as the call's parameters ask for. */

/** The list gives it its name; a document of its own shows one. */
export function oneOrList<One extends object, Item>(
  one: Encoder<One>,
  list: Encoder<Item[]>,
): Encoder<One | Item[]> {
  const isList = (value: One | Item[]): value is Item[] => Array.isArray(value);
  return {
    name: list.name,
    schema: list.schema,
    others: [{ name: one.name, schema: one.schema }],
    encode: (value) => (isList(value) ? list.encode(value) : one.encode(value)),
    encodeInSlices: (value) =>
      isList(value) ? list.encodeInSlices(value) : one.encodeInSlices(value),
  };
}

/* Compiles a plan into a function that writes a value as XML by concatenating strings. */

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Writes an element for `value`, or nothing for undefined; null is an empty element. */
type Writer = (value: unknown) => string;

// A parser would read a carriage return as a line feed; characters that XML forbids are dropped.
// oxlint-disable-next-line no-control-regex -- the point is to find them
const special = /[&<>"\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
// oxlint-disable-next-line no-control-regex -- the same, one by one
const specials = /[&<>"\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

function escapeText(text: string): string {
  return special.test(text)
    ? text.replace(specials, (character) => replacements[character] ?? '')
    : text;
}

/** A parser would read other blanks in an attribute as spaces. */
function escapeAttribute(text: string): string {
  const escaped = escapeText(text);
  return /[\t\n]/.test(escaped)
    ? escaped.replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
    : escaped;
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`a ${typeof value} is not an XML scalar`);
}

function compileWriter(plan: Plan, name: string): Writer {
  switch (plan.kind) {
    case 'scalar':
      return scalarWriter(name);
    case 'object':
      return objectWriter(plan, name);
    case 'list':
      return listWriter(plan, name);
  }
}

function scalarWriter(name: string): Writer {
  const open = `<${name}>`;
  const close = `</${name}>`;
  const empty = `<${name}/>`;
  return (value) => {
    if (value === undefined) return '';
    if (value === null || value === '') return empty;
    return open + escapeText(scalarText(value)) + close;
  };
}

function listWriter(plan: ListPlan, name: string): Writer {
  const writeItem = compileWriter(plan.item, plan.itemName);
  if (!plan.wrapped) {
    return (value) => ((value ?? []) as readonly unknown[]).map(writeItem).join('');
  }
  const open = `<${name}>`;
  const close = `</${name}>`;
  const empty = `<${name}/>`;
  return (value) => {
    if (value === undefined) return '';
    const items = value as readonly unknown[] | null;
    if (items === null || items.length === 0) return empty;
    let out = open;
    for (const item of items) out += writeItem(item);
    return out + close;
  };
}

function attributeWriter(field: Field): (value: Record<string, unknown>) => string {
  const { key } = field;
  const open = ` ${key}="`;
  return (value) => {
    const attribute = value[key];
    if (attribute === undefined || attribute === null) return '';
    return open + escapeAttribute(scalarText(attribute)) + '"';
  };
}

const writable = (fields: ReadonlyMap<string, Field>): Field[] =>
  [...fields.values()].filter((field) => !field.writeOnly);

function objectWriter(plan: ObjectPlan, name: string): Writer {
  const attributes = writable(plan.attributes).map(attributeWriter);
  const elements = writable(plan.elements).map(
    (field) => [field.key, compileWriter(field.plan, field.key)] as const,
  );
  const textKey = plan.text?.key;
  const start = `<${name}`;
  const close = `</${name}>`;
  return (value) => {
    if (value === undefined) return '';
    if (value === null) return `${start}/>`;
    const object = value as Record<string, unknown>;
    let head = start;
    for (const write of attributes) head += write(object);
    let body = textKey === undefined ? '' : escapeText(scalarText(object[textKey] ?? ''));
    for (const [key, write] of elements) body += write(object[key]);
    return body === '' ? `${head}/>` : `${head}>${body}${close}`;
  };
}
