/** Reads one document with our reader and with libxml2, in one common form. */
import { isDeepStrictEqual } from 'node:util';
import {
  ParseOption,
  XmlCData,
  XmlDocument,
  XmlElement,
  XmlParseError,
  XmlText,
} from 'libxml2-wasm';
import { RequestError } from '../../../api/calls/errors.ts';
import { decodeUtf8, parseXml, type XmlNode } from '../../../api/xml/parse.ts';

/** An element with its children grouped by name, as our reader returns them. */
export interface Element {
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
  readonly children: ReadonlyMap<string, readonly Element[]>;
}

export interface Read {
  readonly root: string;
  readonly element: Element;
}

export type Ours = Read | { readonly refusedBy: string };
/** `namespaces`: well-formed as XML 1.0, but its prefixes violate Namespaces in XML. */
export type Theirs =
  | (Read & { readonly encoding: string | null })
  | { readonly refusedBy: 'form' | 'namespaces'; readonly why: string };

export const isRead = <Result extends Ours | Theirs>(
  result: Result,
): result is Extract<Result, Read> => 'root' in result;

export function readByUs(bytes: Uint8Array): Ours {
  try {
    const { name, node } = parseXml(decodeUtf8(bytes));
    return { root: name, element: ourElement(node) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { refusedBy: error.errors[0]?.code ?? 'nothing' };
  }
}

function ourElement(node: XmlNode): Element {
  if (typeof node === 'string') return { attributes: new Map(), text: node, children: new Map() };
  const entries = Object.entries(node);
  const text = node['#text'];
  return {
    attributes: new Map(
      entries.flatMap(([name, value]) =>
        name.startsWith('@') && typeof value === 'string' ? [[name.slice(1), value] as const] : [],
      ),
    ),
    text: typeof text === 'string' ? text : '',
    children: new Map(
      entries
        .filter(([name]) => !name.startsWith('@') && name !== '#text')
        .map(
          ([name, value]) => [name, [value as XmlNode | XmlNode[]].flat().map(ourElement)] as const,
        ),
    ),
  };
}

/** The error level of a document that is not well-formed, in libxml2's own numbers. */
const FATAL = 3;

export function readByLibxml2(bytes: Uint8Array): Theirs {
  try {
    using document = XmlDocument.fromBuffer(bytes, { option: ParseOption.XML_PARSE_NO_XXE });
    const { root, encoding } = document;
    return { root: nameOf(root), element: theirElement(root), encoding };
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error;
    const isForm = error.details.length === 0 || error.details.some(({ level }) => level >= FATAL);
    return { refusedBy: isForm ? 'form' : 'namespaces', why: error.message.trim() };
  }
}

const nameOf = ({ prefix, name }: { readonly prefix: string; readonly name: string }): string =>
  prefix === '' ? name : `${prefix}:${name}`;

function theirElement(element: XmlElement): Element {
  const attributes = new Map(element.attrs.map((each) => [nameOf(each), each.value]));
  for (const [prefix, uri] of Object.entries(element.nsDeclarations)) {
    attributes.set(prefix === '' ? 'xmlns' : `xmlns:${prefix}`, uri);
  }
  const children = new Map<string, Element[]>();
  let text = '';
  for (const node of element.find('* | text()')) {
    if (node instanceof XmlText || node instanceof XmlCData) text += node.content;
    if (!(node instanceof XmlElement)) continue;
    const before = children.get(nameOf(node));
    if (before === undefined) children.set(nameOf(node), [theirElement(node)]);
    else before.push(theirElement(node));
  }
  return { attributes, text, children };
}

/** Whether both read the same content from a document. */
export const isSame = (ours: Read, theirs: Read): boolean =>
  ours.root === theirs.root &&
  isDeepStrictEqual(comparable(ours.element), comparable(theirs.element));

/**
 * Without the two things that libxml2 and its binding omit: the declaration of `xml`, which is
 * always the same, and a U+FEFF at the start of a text.
 */
function comparable({ attributes, text, children }: Element): Element {
  const plain = (value: string): string => value.replaceAll('\uFEFF', '');
  return {
    attributes: new Map(
      [...attributes]
        .filter(([name]) => name !== 'xmlns:xml')
        .map(([name, value]) => [name, plain(value)] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
    text: plain(text),
    children: new Map(
      [...children].map(([name, elements]) => [name, elements.map(comparable)] as const),
    ),
  };
}
