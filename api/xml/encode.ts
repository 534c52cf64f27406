/** Compiles a plan into a function that writes a value as XML by concatenating strings. */
import type { Field, ListPlan, ObjectPlan, Plan } from './plan.ts';

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Writes an element for `value`, or nothing for undefined; null is an empty element. */
export type Writer = (value: unknown) => string;

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

export function escapeText(text: string): string {
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

export function compileWriter(plan: Plan, name: string): Writer {
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
