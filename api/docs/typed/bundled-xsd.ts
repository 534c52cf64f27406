/**
 * Writes one XML Schema of all documents, for the generators of classes (xjc, xsdata, xsd.exe): each
 * root is one global element, an element of that name refers to it, and requests and answers share
 * a type in which everything is optional. The schemas of single documents are exact.
 */
import { indented } from '../../xml/xsd.ts';
import {
  type Content,
  type Part,
  type ScalarContent,
  type SharedType,
  type SharedTypes,
  capital,
} from './shared-types.ts';

const ABOUT =
  'All documents of the interface. Requests and answers share a type: which parts a call takes, and which it answers with, is in the schemas of single documents and in OpenAPI.';

/** Further named types, by name; each is made when the first element needs it. */
interface Named {
  readonly types: SharedTypes;
  readonly more: Map<string, string>;
}

export function bundledXsd(types: SharedTypes): string {
  const named: Named = { types, more: new Map() };
  const elements = [...types.roots].map(
    ([root, content]) => `<xs:element name="${root}">${rootType(named, content)}</xs:element>`,
  );
  const shared = [...types.types.values()]
    .filter(({ root }) => root === undefined)
    .map((type) => withName(type.name, complexType(named, type)));
  const more = [...named.more].map(([name, text]) => withName(name, text));
  const document =
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">' +
    `${annotation(ABOUT)}${elements.join('')}${shared.join('')}${more.join('')}</xs:schema>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${indented(document)}\n`;
}

function rootType(named: Named, content: Content): string {
  if (content.kind === 'list') return listType(named, content);
  const type = content.kind === 'object' ? named.types.types.get(content.type) : undefined;
  if (type === undefined) throw new Error('a root is an object or a list');
  return complexType(named, type);
}

function complexType(named: Named, { parts: byKey }: SharedType): string {
  const parts = [...byKey.values()];
  const attributes = parts
    .filter(({ place }) => place === 'attribute')
    .map(({ key, content, about }) => {
      const type = simpleTypeOf(named, content as ScalarContent);
      return `<xs:attribute name="${key}" type="${type}">${annotation(about)}</xs:attribute>`;
    });
  if (parts.some(({ place }) => place === 'text')) {
    // An attribute called value is why it is no simple content: xjc has a property of that name then.
    return `<xs:complexType mixed="true">${attributes.join('')}</xs:complexType>`;
  }
  const elements = parts.filter(({ place }) => place === 'element');
  // Elements of requests come in any order, for which XML Schema 1.0 knows none that repeat.
  const group = elements.some(({ isRepeated }) => isRepeated) ? 'xs:sequence' : 'xs:all';
  const content = elements.map((part) => elementOf(named, part)).join('');
  const inGroup = content === '' ? '' : `<${group}>${content}</${group}>`;
  return `<xs:complexType>${inGroup}${attributes.join('')}</xs:complexType>`;
}

function elementOf(named: Named, { key, isRepeated, content, about }: Part): string {
  const occurs = `minOccurs="0"${isRepeated ? ' maxOccurs="unbounded"' : ''}`;
  const isRoot = content.kind !== 'scalar' && named.types.roots.has(key);
  if (isRoot) return `<xs:element ref="${key}" ${occurs}/>`;
  const type = typeOf(named, content, key);
  const choices =
    content.kind === 'scalar' && content.choices.length > 0
      ? `Of ${content.choices.join(', ')}; later versions may add others.`
      : '';
  const note = annotation(`${about} ${choices}`.trim());
  return `<xs:element name="${key}" type="${type}" ${occurs}>${note}</xs:element>`;
}

function typeOf(named: Named, content: Content, key: string): string {
  switch (content.kind) {
    case 'scalar':
      return simpleTypeOf(named, content);
    case 'object':
      return content.type;
    case 'list':
      return declared(named, capital(key), listType(named, content));
  }
}

function listType(named: Named, { item, of }: Extract<Content, { kind: 'list' }>): string {
  const what =
    of.kind !== 'scalar' && named.types.roots.has(item)
      ? `ref="${item}"`
      : `name="${item}" type="${typeOf(named, of, item)}"`;
  return (
    '<xs:complexType><xs:sequence>' +
    `<xs:element ${what} minOccurs="0" maxOccurs="unbounded"/>` +
    '</xs:sequence></xs:complexType>'
  );
}

function declared({ types, more }: Named, name: string, text: string): string {
  const isTaken = types.types.has(name) || (more.has(name) && more.get(name) !== text);
  if (isTaken) throw new Error(`two types are called ${name}`);
  more.set(name, text);
  return name;
}

const plainTypes = {
  text: 'xs:string',
  integer: 'xs:int',
  boolean: 'xs:boolean',
  decimal: 'xs:decimal',
  date: 'xs:date',
  instant: 'xs:dateTime',
} as const;

/** An empty element is valid where a document has one; text may always be empty. */
function simpleTypeOf(named: Named, { type, isNullable, isLong }: ScalarContent): string {
  const plain = isLong ? 'xs:long' : plainTypes[type];
  if (!isNullable || type === 'text') return plain;
  const empty = declared(
    named,
    'Empty',
    '<xs:simpleType><xs:restriction base="xs:token"><xs:length value="0"/></xs:restriction></xs:simpleType>',
  );
  const union = `<xs:simpleType><xs:union memberTypes="${plain} ${empty}"/></xs:simpleType>`;
  return declared(named, `${capital(plain.replace('xs:', ''))}OrEmpty`, union);
}

const withName = (name: string, content: string): string =>
  content.replace(/^<xs:(complexType|simpleType)/, `<xs:$1 name="${name}"`);

function annotation(words: string): string {
  if (words === '') return '';
  const text = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<xs:annotation><xs:documentation>${text}</xs:documentation></xs:annotation>`;
}
