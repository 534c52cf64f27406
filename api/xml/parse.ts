/**
 * Parses the bytes or text of a request into the tree of its root element; text stays text.
 *
 * The parser makes one pass, whose cost grows with the length of the document only: it reads 8 MiB
 * of markup in the time of 8 MiB, or refuses it at a limit.
 */
import { badRequest } from '../calls/errors.ts';
import {
  decodeReferences,
  fail,
  refuseForbidden,
  refuseOtherEncodings,
  refuseWrongInstruction,
  skipBlanks,
  nameAt,
} from './scan.ts';

export const DEPTH_MAX = 16;
/** The limit for elements, and that for comments, instructions and CDATA sections together. */
export const ELEMENTS_MAX = 50_000;

/** An element: its text, or `@name` for attributes, children by name, `#text` beside them. */
export type XmlNode = string | { readonly [name: string]: XmlNode | readonly XmlNode[] };

export interface XmlDocument {
  readonly name: string;
  readonly node: XmlNode;
}

type Content = Record<string, XmlNode | XmlNode[]>;

/** An element that is not closed yet. */
interface Open {
  readonly name: string;
  readonly start: number;
  /** Attributes and children; created with the first of them. */
  content: Content | undefined;
  text: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Refuses invalid UTF-8 instead of replacing it, which would corrupt names for good. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest('document.encoding', 'The request is not valid UTF-8');
  }
}

export function parseXml(document: string): XmlDocument {
  refuseOtherEncodings(document);
  refuseForbidden(document);
  // XML requires it: every line end becomes a line feed.
  const xml = document.includes('\r') ? document.replaceAll(/\r\n?/g, '\n') : document;
  const parser = new Parser(xml);
  return parser.parse();
}

class Parser {
  readonly #xml: string;
  readonly #open: Open[] = [];
  #root: XmlDocument | undefined;
  #elements = 0;
  #others = 0;

  constructor(xml: string) {
    this.#xml = xml;
  }

  parse(): XmlDocument {
    const xml = this.#xml;
    let at = 0;
    while (at < xml.length) {
      const next = xml.indexOf('<', at);
      const end = next === -1 ? xml.length : next;
      if (end > at) this.#text(at, end);
      if (next === -1) break;
      at = this.#markup(next);
    }
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) {
      fail(xml, unclosed.start, 'document.malformed', `"${unclosed.name}" is not closed`);
    }
    return this.#root ?? fail(xml, 0, 'document.empty', 'The request has no document');
  }

  #text(from: number, to: number): void {
    const inner = this.#open.at(-1);
    if (inner !== undefined) {
      const end = this.#xml.slice(from, to).indexOf(']]>');
      if (end !== -1) this.#malformed(from + end, '"]]>" is not allowed in text');
      const text = decodeReferences(this.#xml, from, to);
      inner.text += text;
      return;
    }
    const stray = skipBlanks(this.#xml, from);
    if (stray < to) this.#malformed(stray, 'Text stands outside the root element');
  }

  /** Parses one piece of markup; returns the index of the text after it. */
  #markup(at: number): number {
    const xml = this.#xml;
    switch (xml[at + 1]) {
      case '!':
        return this.#declared(at);
      case '?':
        return this.#instruction(at);
      case '/':
        return this.#close(at);
      default:
        return this.#start(at);
    }
  }

  #instruction(at: number): number {
    this.#countOther(at);
    const end = this.#past(at, at + 2, '?>', 'An instruction');
    refuseWrongInstruction(this.#xml, at, end);
    return end;
  }

  #comment(at: number): number {
    const end = this.#past(at, at + 4, '--', 'A comment');
    if (this.#xml[end] !== '>') this.#malformed(end - 2, '"--" is not allowed inside a comment');
    return end + 1;
  }

  #declared(at: number): number {
    const xml = this.#xml;
    this.#countOther(at);
    if (xml.startsWith('<!--', at)) return this.#comment(at);
    if (!xml.startsWith('<![CDATA[', at)) this.#malformed(at, 'No such markup is known');
    const inner = this.#open.at(-1);
    if (inner === undefined) this.#malformed(at, 'Text stands outside the root element');
    const end = this.#past(at, at + 9, ']]>', 'A CDATA section');
    inner.text += xml.slice(at + 9, end - 3);
    return end;
  }

  #start(at: number): number {
    const xml = this.#xml;
    const tag = readTag(xml, at);
    if (this.#root !== undefined) this.#malformed(at, 'A document has one root element');
    this.#elements += 1;
    if (this.#elements > ELEMENTS_MAX) {
      fail(xml, at, 'document.elements', `A document has at most ${ELEMENTS_MAX} elements`);
    }
    if (this.#open.length >= DEPTH_MAX) {
      fail(xml, at, 'document.depth', `Elements nest at most ${DEPTH_MAX} deep`);
    }
    const element = { name: tag.name, start: at, content: tag.attributes, text: '' };
    if (tag.isEmpty) this.#finish(element);
    else this.#open.push(element);
    return tag.end;
  }

  #close(at: number): number {
    const xml = this.#xml;
    const end = this.#past(at, at + 2, '>', 'A tag');
    const element = this.#open.pop();
    if (element === undefined) this.#malformed(at, 'A closing tag closes nothing');
    const isNamed = xml.startsWith(element.name, at + 2);
    if (!isNamed || skipBlanks(xml, at + 2 + element.name.length) !== end - 1) {
      const found = xml.slice(at + 2, Math.min(end - 1, at + 62)).trimEnd();
      this.#malformed(at, `Expected closing tag "${element.name}" instead of "${found}"`);
    }
    this.#finish(element);
    return end;
  }

  #finish({ name, content, text }: Open): void {
    let node: XmlNode = text;
    if (content !== undefined) {
      if (text !== '') content['#text'] = text;
      node = content;
    }
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      this.#root = { name, node };
      return;
    }
    // Without a prototype, no name collides with an inherited property.
    parent.content ??= Object.create(null) as Content;
    const before = parent.content[name];
    if (before === undefined) parent.content[name] = node;
    else if (Array.isArray(before)) before.push(node);
    else parent.content[name] = [before, node];
  }

  #countOther(at: number): void {
    this.#others += 1;
    if (this.#others <= ELEMENTS_MAX) return;
    const message = `A document has at most ${ELEMENTS_MAX} comments, instructions and sections`;
    fail(this.#xml, at, 'document.elements', message);
  }

  /** The index after `close`. */
  #past(start: number, from: number, close: string, what: string): number {
    const at = this.#xml.indexOf(close, from);
    return at === -1 ? this.#malformed(start, `${what} is not closed`) : at + close.length;
  }

  #malformed(at: number, message: string): never {
    return fail(this.#xml, at, 'document.malformed', message);
  }
}

/** An opening tag: its name, its attributes, and where it ends. */
interface Tag {
  readonly name: string;
  /** By `@name`; undefined if there are none. */
  readonly attributes: Record<string, string> | undefined;
  /** `<a/>` */
  readonly isEmpty: boolean;
  /** The index after its `>`. */
  readonly end: number;
}

const ATTRIBUTES_MAX = 32;

function readTag(xml: string, start: number): Tag {
  const name = nameAt(xml, start + 1);
  if (name === undefined) malformed(xml, start, 'A tag has no name');
  let at = start + 1 + name.length;
  let attributes: Record<string, string> | undefined;
  for (let count = 0; ; count += 1) {
    const next = skipBlanks(xml, at);
    const character = xml[next];
    if (character === '>') return { name, attributes, isEmpty: false, end: next + 1 };
    if (character === '/' && xml[next + 1] === '>') {
      return { name, attributes, isEmpty: true, end: next + 2 };
    }
    if (character === undefined) malformed(xml, start, 'A tag is not closed');
    if (character === '<') malformed(xml, next, '"<" is not allowed inside a tag');
    if (next === at) malformed(xml, next, 'A blank is missing inside a tag');
    if (count === ATTRIBUTES_MAX) {
      fail(xml, next, 'document.elements', `A tag has at most ${ATTRIBUTES_MAX} attributes`);
    }
    attributes ??= Object.create(null) as Record<string, string>;
    at = readAttribute(xml, { start, at: next }, attributes);
  }
}

/** Reads one attribute, and returns the index after it. */
function readAttribute(
  xml: string,
  { start, at }: { readonly start: number; readonly at: number },
  attributes: Record<string, string>,
): number {
  const name = nameAt(xml, at);
  if (name === undefined) malformed(xml, at, 'An attribute has no name');
  const afterName = at + name.length;
  const sign = skipBlanks(xml, afterName);
  if (xml[sign] !== '=') malformed(xml, at, `Attribute '${name}' has no value`);
  const open = skipBlanks(xml, sign + 1);
  const quote = xml[open];
  if (quote !== '"' && quote !== "'") {
    malformed(xml, open, `The value of attribute '${name}' is not quoted`);
  }
  const close = xml.indexOf(quote, open + 1);
  if (close === -1) malformed(xml, start, 'A tag is not closed');
  const raw = xml.slice(open + 1, close);
  const less = raw.indexOf('<');
  if (less !== -1) malformed(xml, open + 1 + less, '"<" is not allowed inside a tag');
  const key = `@${name}`;
  if (key in attributes) malformed(xml, at, `Attribute '${name}' is repeated.`);
  // Blanks in a value become spaces, except those written as references.
  attributes[key] = decodeReferences(xml, open + 1, close, /[\t\n]/g);
  return close + 1;
}

function malformed(xml: string, at: number, message: string): never {
  return fail(xml, at, 'document.malformed', message);
}
