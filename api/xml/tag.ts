/** An opening tag: its name, its attributes, and where it ends. */
import { decodeReferences, fail, nameAt, skipBlanks } from './scan.ts';

export interface Tag {
  readonly name: string;
  /** By `@name`; undefined if there are none. */
  readonly attributes: Record<string, string> | undefined;
  /** `<a/>` */
  readonly isEmpty: boolean;
  /** The index after its `>`. */
  readonly end: number;
}

const ATTRIBUTES_MAX = 32;

export function readTag(xml: string, start: number): Tag {
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
