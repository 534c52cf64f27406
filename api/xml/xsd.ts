/**
 * Converts a schema to an XML Schema 1.0 document. The one of a request accepts what the parser
 * accepts (any order of elements, blanks around values, read-only elements); that of an answer is
 * exact.
 */
import type { DescribedNode } from '../docs/described.ts';

export type Direction = 'request' | 'response';

export interface XsdSource {
  /** The root element's name. */
  readonly root: string;
  readonly node: DescribedNode;
  readonly direction: Direction;
  readonly about: string;
}

const DECIMAL_MAX = '999999999999.999999';

/** Named types by their content, so that equal types are declared once. */
interface Types {
  readonly direction: Direction;
  readonly names: Map<string, string>;
  readonly taken: Set<string>;
}

export function xsdOf({ root, node, direction, about }: XsdSource): string {
  const types: Types = { direction, names: new Map(), taken: new Set() };
  const type = typeOf(types, node, { name: root, parent: '' });
  const element = `<xs:element name="${root}" type="${type}">${annotation(about)}</xs:element>`;
  const document =
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">' +
    `${element}${[...types.names].map(([content, name]) => named(content, name)).join('')}` +
    '</xs:schema>';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${indented(document)}\n`;
}

interface Place {
  readonly name: string;
  readonly parent: string;
}

const isText = (node: DescribedNode): boolean => node.xml?.nodeType === 'text';
const isAttribute = (node: DescribedNode): boolean => node.xml?.attribute === true;

/** The name of the type of an element or attribute. */
function typeOf(types: Types, node: DescribedNode, place: Place): string {
  if (node.properties !== undefined) {
    return register(types, complexType(types, node, place.name), place);
  }
  if (node.items !== undefined) return register(types, listType(types, node.items, place), place);
  return simpleTypeOf(types, node, place);
}

function register(types: Types, content: string, { name, parent }: Place): string {
  const known = types.names.get(content);
  if (known !== undefined) return known;
  const wanted = [capital(name), capital(parent) + capital(name)];
  let chosen = wanted.find((each) => !types.taken.has(each));
  for (let count = 2; chosen === undefined; count += 1) {
    const numbered = `${wanted[1]}${count}`;
    if (!types.taken.has(numbered)) chosen = numbered;
  }
  types.taken.add(chosen);
  types.names.set(content, chosen);
  return chosen;
}

const capital = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

const named = (content: string, name: string): string =>
  content.replace(/^<xs:(complexType|simpleType)/, `<xs:$1 name="${name}"`);

function listType(types: Types, item: DescribedNode, place: Place): string {
  const name = item.xml?.name ?? 'item';
  const type = typeOf(types, item, { name, parent: place.name });
  return (
    '<xs:complexType><xs:sequence>' +
    `<xs:element name="${name}" type="${type}" minOccurs="0" maxOccurs="unbounded"/>` +
    '</xs:sequence></xs:complexType>'
  );
}

function complexType(types: Types, node: DescribedNode, name: string): string {
  const entries = Object.entries(node.properties ?? {}).filter(
    ([, field]) => types.direction === 'request' || field.writeOnly !== true,
  );
  const required = new Set(node.required);
  const attributes = entries
    .filter(([, field]) => isAttribute(field))
    .map(([key, field]) => {
      // An empty element means none, so its attribute is optional.
      const use = required.has(key) && node.nullable !== true ? ' use="required"' : '';
      const type = isIgnored(types, field)
        ? 'xs:anySimpleType'
        : typeOf(types, field, { name: key, parent: name });
      const words = annotation(field.description);
      return `<xs:attribute name="${key}" type="${type}"${use}>${words}</xs:attribute>`;
    });
  const [text] = entries.filter(([, field]) => isText(field));
  if (text !== undefined) {
    const base = typeOf(types, text[1], { name: text[0], parent: name });
    const content = `<xs:extension base="${base}">${attributes.join('')}</xs:extension>`;
    return `<xs:complexType><xs:simpleContent>${content}</xs:simpleContent></xs:complexType>`;
  }
  const elements = entries
    .filter(([, field]) => !isAttribute(field))
    .map(([key, field]) => elementOf(types, field, { name: key, parent: name }, required.has(key)));
  const group = types.direction === 'request' ? 'xs:all' : 'xs:sequence';
  const occurs = node.nullable === true ? ' minOccurs="0"' : '';
  const content = elements.length === 0 ? '' : `<${group}${occurs}>${elements.join('')}</${group}>`;
  return `<xs:complexType>${content}${attributes.join('')}</xs:complexType>`;
}

const isIgnored = (types: Types, field: DescribedNode): boolean =>
  types.direction === 'request' && field.readOnly === true;

function elementOf(types: Types, field: DescribedNode, place: Place, required: boolean): string {
  const ignored = isIgnored(types, field);
  if (field.items !== undefined && field.xml?.wrapped === false) {
    const type = typeOf(types, field.items, place);
    return `<xs:element name="${place.name}" type="${type}" minOccurs="0" maxOccurs="unbounded"/>`;
  }
  const type = ignored ? 'xs:anyType' : typeOf(types, field, place);
  const occurs = required ? '' : ' minOccurs="0"';
  const words = ignored
    ? `Read only: accepted and ignored. ${field.description ?? ''}`.trim()
    : field.description;
  const note = annotation(words);
  return `<xs:element name="${place.name}" type="${type}"${occurs}>${note}</xs:element>`;
}

function simpleTypeOf(types: Types, node: DescribedNode, { name, parent }: Place): string {
  const simple = simpleType(types.direction, node, name);
  const type =
    typeof simple === 'string'
      ? simple
      : register(types, restriction(simple), { name: simple.name, parent });
  if (node.nullable !== true || (typeof simple !== 'string' && simple.mayBeEmpty)) return type;
  const empty = register(
    types,
    restriction({ name: 'Empty', base: 'xs:token', facets: '<xs:length value="0"/>' }),
    { name: 'Empty', parent: '' },
  );
  const union = `<xs:simpleType><xs:union memberTypes="${type} ${empty}"/></xs:simpleType>`;
  return register(types, union, { name: `${type.replace('xs:', '')}OrEmpty`, parent });
}

interface SimpleType {
  readonly name: string;
  readonly base: string;
  readonly facets: string;
  readonly mayBeEmpty?: boolean;
}

const restriction = ({ base, facets }: SimpleType): string =>
  `<xs:simpleType><xs:restriction base="${base}">${facets}</xs:restriction></xs:simpleType>`;

const facet = (name: string, value: string | number | undefined): string =>
  value === undefined ? '' : `<xs:${name} value="${escaped(String(value))}"/>`;

function simpleType(
  direction: Direction,
  node: DescribedNode,
  name: string,
): SimpleType | 'xs:boolean' | 'xs:dateTime' | 'xs:decimal' {
  if (node.enum !== undefined) {
    const facets = node.enum.map((value) => facet('enumeration', value)).join('');
    return { name, base: 'xs:token', facets };
  }
  if (node.type === 'boolean') return 'xs:boolean';
  if (node.type === 'integer') {
    const facets = facet('minInclusive', node.minimum) + facet('maxInclusive', node.maximum);
    return { name, base: 'xs:integer', facets };
  }
  switch (node.format) {
    case 'date-time':
      return 'xs:dateTime';
    case 'date':
      // Without it xs:date would allow a time zone.
      return {
        name: 'Date',
        base: 'xs:date',
        facets: facet('pattern', '[0-9]{4}-[0-9]{2}-[0-9]{2}'),
      };
    case 'decimal':
      if (direction === 'response') return 'xs:decimal';
      return {
        name: 'Decimal',
        base: 'xs:decimal',
        facets: facet('minInclusive', `-${DECIMAL_MAX}`) + facet('maxInclusive', DECIMAL_MAX),
      };
    default:
      return textType(direction, node, name);
  }
}

function textType(direction: Direction, node: DescribedNode, name: string): SimpleType {
  const { maxLength, pattern } = node;
  const length = facet('maxLength', maxLength);
  if (pattern !== undefined) {
    return { name, base: 'xs:token', facets: length + facet('pattern', xsdPattern(pattern)) };
  }
  // The parser trims, which xs:token allows; passwords are kept exactly.
  const base = direction === 'request' && node.format !== 'password' ? 'xs:token' : 'xs:string';
  const size = maxLength ?? '';
  if (direction === 'response' || node.nullable === true) {
    return { name: `Text${size}`, base, facets: length, mayBeEmpty: true };
  }
  return { name: `RequiredText${size}`, base, facets: facet('minLength', 1) + length };
}

/** XML Schema anchors patterns implicitly, and its `\d` matches the digits of every script. */
const xsdPattern = (pattern: string): string =>
  pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll(String.raw`\d`, '[0-9]');

function annotation(words: string | undefined): string {
  if (words === undefined || words === '') return '';
  const text = `<xs:documentation>${escaped(words)}</xs:documentation>`;
  return `<xs:annotation>${text}</xs:annotation>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** One element per line; an element that contains only text stays on one line. */
export function indented(xml: string): string {
  let depth = 0;
  const lines: string[] = [];
  for (const [tag] of xml.matchAll(/<[^/][^>]*\/>|<([^/\s>]+)[^>]*>[^<]*<\/\1>|<[^>]+>/g)) {
    if (tag.startsWith('</')) depth -= 1;
    lines.push('  '.repeat(depth) + tag.replace(/^<([^\s>]+)([^>]*)><\/\1>$/, '<$1$2/>'));
    const isClosed = tag.startsWith('</') || tag.startsWith('<?') || /\/>$|<\/[^>]+>$/.test(tag);
    if (!isClosed) depth += 1;
  }
  return lines.join('\n');
}
