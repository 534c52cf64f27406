/**
 * Walks the markup of a document once and refuses what fast-xml-parser lets through: document
 * types, foreign entities, a second root, text beside the root, and documents without measure.
 */
import type { ErrorCode } from '../catalogue.ts';
import { badRequest } from '../errors.ts';

export const DEPTH_MAX = 16;
export const ELEMENTS_MAX = 50_000;

const predefined: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
// oxlint-disable-next-line no-control-regex -- the point is to find them
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

export const isForbiddenCharacter = (text: string): boolean => forbidden.test(text);

function position(xml: string, index: number): string {
  const before = xml.slice(0, index);
  const line = before.split('\n').length;
  return `line ${line}, column ${index - before.lastIndexOf('\n')}`;
}

function fail(xml: string, index: number, code: ErrorCode, message: string): never {
  throw badRequest(code, `${message} (${position(xml, index)})`);
}

const isXmlCharacter = (point: number): boolean =>
  point === 0x9 ||
  point === 0xa ||
  point === 0xd ||
  (point >= 0x20 && point <= 0xd7ff) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff);

/** Entities of a run of text or of a tag's attributes: the predefined five and real characters. */
function checkEntities(xml: string, from: number, to: number): void {
  for (let at = xml.indexOf('&', from); at !== -1 && at < to; at = xml.indexOf('&', at + 1)) {
    const end = xml.indexOf(';', at);
    const name = end === -1 || end >= to ? '' : xml.slice(at + 1, end);
    if (predefined.has(name)) continue;
    const reference = /^#(?:(\d{1,7})|x([0-9a-fA-F]{1,6}))$/.exec(name);
    if (reference === null) {
      fail(xml, at, 'document.entity', 'Only &amp; &lt; &gt; &quot; &apos; are known as entities');
    } else {
      const [, decimal, hex] = reference;
      const point = decimal === undefined ? parseInt(hex ?? '', 16) : parseInt(decimal, 10);
      if (!isXmlCharacter(point)) {
        fail(xml, at, 'document.character', `&${name}; is no character of XML 1.0`);
      }
    }
  }
}

/** The index after `close`, from `start` on. */
function skipPast(xml: string, start: number, from: number, close: string, what: string): number {
  const at = xml.indexOf(close, from);
  return at === -1
    ? fail(xml, start, 'document.malformed', `${what} is not closed`)
    : at + close.length;
}

/** The index after a tag's `>`, which may also stand inside a quoted attribute value. */
function skipTag(xml: string, start: number): number {
  let quote = 0;
  for (let at = start + 1; at < xml.length; at += 1) {
    const code = xml.charCodeAt(at);
    if (code === 0x3c) {
      return fail(xml, at, 'document.malformed', '"<" is not allowed inside a tag');
    }
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x22 || code === 0x27) {
      quote = code;
    } else if (code === 0x3e) {
      return at + 1;
    }
  }
  return fail(xml, start, 'document.malformed', 'A tag is not closed');
}

interface Progress {
  depth: number;
  elements: number;
}

function countTag(xml: string, start: number, end: number, progress: Progress): void {
  if (xml.charCodeAt(start + 1) === 0x2f) {
    progress.depth -= 1;
    if (progress.depth < 0) {
      fail(xml, start, 'document.malformed', 'A closing tag closes nothing');
    }
    return;
  }
  if (progress.depth === 0 && progress.elements > 0) {
    fail(xml, start, 'document.malformed', 'A document has one root element');
  }
  progress.elements += 1;
  if (progress.elements > ELEMENTS_MAX) {
    fail(xml, start, 'document.elements', `A document has at most ${ELEMENTS_MAX} elements`);
  }
  if (progress.depth + 1 > DEPTH_MAX) {
    fail(xml, start, 'document.depth', `Elements nest at most ${DEPTH_MAX} deep`);
  }
  if (xml.charCodeAt(end - 2) !== 0x2f) progress.depth += 1;
}

/** One piece of markup at `start`; returns where the text after it begins. */
function scanMarkup(xml: string, start: number, progress: Progress): number {
  if (xml.startsWith('<!--', start)) return skipPast(xml, start, start + 4, '-->', 'A comment');
  if (xml.startsWith('<?', start)) return skipPast(xml, start, start + 2, '?>', 'An instruction');
  if (xml.startsWith('<![CDATA[', start)) {
    if (progress.depth === 0) {
      fail(xml, start, 'document.malformed', 'Text stands outside the root element');
    }
    return skipPast(xml, start, start + 9, ']]>', 'A CDATA section');
  }
  const end = skipTag(xml, start);
  checkEntities(xml, start, end);
  countTag(xml, start, end, progress);
  return end;
}

/** Throws a 400 that names line and column; returns nothing, for the parser reads afresh. */
export function scan(xml: string): void {
  // Refused wherever it stands, even in a comment: nobody has to agree on what a comment is.
  const doctype = xml.search(/<!DOCTYPE/i);
  if (doctype !== -1) fail(xml, doctype, 'document.doctype', 'A DOCTYPE is not accepted');
  const control = xml.search(forbidden);
  if (control !== -1) {
    const code = xml.charCodeAt(control).toString(16).toUpperCase().padStart(4, '0');
    fail(xml, control, 'document.character', `Character U+${code} is not allowed in XML 1.0`);
  }
  const progress: Progress = { depth: 0, elements: 0 };
  let at = 0;
  while (at < xml.length) {
    const next = xml.indexOf('<', at);
    const end = next === -1 ? xml.length : next;
    if (progress.depth === 0) {
      const stray = xml.slice(at, end).search(/\S/);
      if (stray !== -1) {
        fail(xml, at + stray, 'document.malformed', 'Text stands outside the root element');
      }
    } else {
      checkEntities(xml, at, end);
    }
    if (next === -1) break;
    at = scanMarkup(xml, next, progress);
  }
  if (progress.elements === 0) throw badRequest('document.empty', 'The request has no document');
}
