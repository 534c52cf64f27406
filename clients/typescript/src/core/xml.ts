/** Reads and writes documents by the generated tables. */
import { XMLParser } from 'fast-xml-parser';
import { roots, shapes } from '../generated/tables.ts';
import type { Form, Shape } from './tables.ts';

export interface ReadDocument {
  /** The root element's name. */
  readonly root: string;
  readonly value: unknown;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // There are five and the numbers: no document can declare others.
  processEntities: false,
});

type Element = Readonly<Record<string, unknown>>;

/** Undefined if the text is no document of the interface. */
export function readDocument(xml: string): ReadDocument | undefined {
  let parsed: Element;
  try {
    parsed = parser.parse(xml, true);
  } catch {
    return undefined;
  }
  const [entry] = Object.entries(parsed).filter(([name]) => name !== '#text');
  const form = entry === undefined ? undefined : roots[entry[0]];
  if (entry === undefined || form === undefined) return undefined;
  return { root: entry[0], value: readContent(form, entry[1]) };
}

function readContent(form: Form, node: unknown): unknown {
  if (form.item !== undefined) {
    return itemsIn(node, form.item).map((item) => readValue(form, item));
  }
  return readValue(form, node);
}

const isElement = (node: unknown): node is Element => typeof node === 'object' && node !== null;

function itemsIn(node: unknown, name: string): readonly unknown[] {
  const found = isElement(node) ? node[name] : undefined;
  if (found === undefined) return [];
  return Array.isArray(found) ? found : [found];
}

function readValue({ type }: Form, node: unknown): unknown {
  const shape = shapes[type];
  return shape === undefined ? readScalar(type, node) : readObject(shape, node);
}

function readObject(shape: Shape, node: unknown): Readonly<Record<string, unknown>> {
  const value: Record<string, unknown> = {};
  for (const [key, form] of Object.entries(shape)) {
    const part = readPart(key, form, node);
    if (part !== undefined) value[key] = part;
  }
  return value;
}

/** Undefined if the element does not have it. */
function readPart(key: string, form: Form, node: unknown): unknown {
  if (form.place === 'text') return textOf(node);
  if (form.place === 'attribute') {
    const text = isElement(node) ? node[`@${key}`] : undefined;
    return text === undefined ? undefined : readScalar(form.type, text);
  }
  if (form.isRepeated === true) {
    const items = itemsIn(node, key);
    return items.length === 0 ? undefined : items.map((item) => readValue(form, item));
  }
  const [part] = itemsIn(node, key);
  if (part === undefined) return undefined;
  const isEmpty = part === '' && form.item === undefined;
  const isText = form.type === 'text' && form.isNullable !== true;
  return isEmpty && !isText ? null : readContent(form, part);
}

function readScalar(type: string, node: unknown): string | number | boolean {
  const text = textOf(node);
  if (type === 'integer') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

function textOf(node: unknown): string {
  const text = isElement(node) ? node['#text'] : node;
  return typeof text === 'string' ? unescaped(text) : '';
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));/g, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return entities[name] ?? whole;
  });

/* Writing. */

/** @param root of the document; a list is given by its items */
export function writeDocument(root: string, value: unknown): string {
  const form = roots[root];
  if (form === undefined) throw new TypeError(`there is no document ${root}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, form, value, root)}`;
}

function written(element: string, form: Form, value: unknown, place: string): string {
  if (value === null) return `<${element}/>`;
  const { item } = form;
  if (item === undefined) return writtenValue(element, form.type, value, place);
  if (!Array.isArray(value)) throw new TypeError(`${place} must be a list`);
  const items = value.map((each, at) => writtenValue(item, form.type, each, `${place}[${at}]`));
  return `<${element}>${items.join('')}</${element}>`;
}

function writtenValue(element: string, type: string, value: unknown, place: string): string {
  const shape = shapes[type];
  if (shape === undefined) return `<${element}>${scalarText(type, value, place)}</${element}>`;
  if (!isElement(value) || Array.isArray(value)) throw new TypeError(`${place} must be an object`);
  for (const key of Object.keys(value)) {
    if (shape[key] === undefined) throw new TypeError(`${place} has no part "${key}"`);
  }
  let head = `<${element}`;
  let body = '';
  for (const [key, form] of Object.entries(shape)) {
    const part = value[key];
    if (part === undefined) continue;
    const here = `${place}.${key}`;
    if (form.place === 'attribute') head += attributeText(key, form, part, here);
    else if (form.place === 'text') body += scalarText(form.type, part, here);
    else if (form.isRepeated === true) body += repeated(key, form, part, here);
    else body += written(key, form, part, here);
  }
  return `${head}>${body}</${element}>`;
}

const attributeText = (key: string, form: Form, value: unknown, place: string): string =>
  value === null ? '' : ` ${key}="${scalarText(form.type, value, place)}"`;

function repeated(key: string, form: Form, value: unknown, place: string): string {
  if (!Array.isArray(value)) throw new TypeError(`${place} must be a list`);
  return value.map((each, at) => writtenValue(key, form.type, each, `${place}[${at}]`)).join('');
}

/** The value itself is in no error, because it may be a secret. */
export function scalarText(type: string, value: unknown, place: string): string {
  if (type === 'integer' && Number.isSafeInteger(value)) return String(value);
  if (type === 'boolean' && typeof value === 'boolean') return String(value);
  const isText = type !== 'integer' && type !== 'boolean';
  if (isText && typeof value === 'string') return escaped(value);
  throw new TypeError(`${place} must be ${expected[type] ?? 'text'}, not a ${typeof value}`);
}

const expected: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  boolean: 'true or false',
  decimal: 'a decimal as text, such as "49.00"',
  date: 'a day as text, such as "2027-01-31"',
  instant: 'an instant as text, such as "2027-01-31T12:00:00Z"',
};

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
