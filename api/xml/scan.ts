/** What XML 1.0 allows as characters, names and references, and the refusal that says where not. */
import type { ErrorCode } from '../catalogue.ts';
import { badRequest } from '../errors.ts';

// oxlint-disable-next-line no-control-regex -- the point is to find them
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

export const isForbiddenCharacter = (text: string): boolean => forbidden.test(text);

export function fail(xml: string, index: number, code: ErrorCode, message: string): never {
  throw badRequest(code, `${message} (${position(xml, index)})`);
}

function position(xml: string, index: number): string {
  let line = 1;
  let start = -1;
  for (let at = xml.indexOf('\n'); at !== -1 && at < index; at = xml.indexOf('\n', at + 1)) {
    line += 1;
    start = at;
  }
  return `line ${line}, column ${index - start}`;
}

/** Refused wherever they stand, even in a comment: nobody has to agree on what a comment is. */
export function refuseForbidden(xml: string): void {
  const doctype = xml.search(/<!DOCTYPE/i);
  if (doctype !== -1) fail(xml, doctype, 'document.doctype', 'A DOCTYPE is not accepted');
  const control = xml.search(forbidden);
  if (control === -1) return;
  const code = xml.charCodeAt(control).toString(16).toUpperCase().padStart(4, '0');
  fail(xml, control, 'document.character', `Character U+${code} is not allowed in XML 1.0`);
}

/** Documents are UTF-8, whatever their declaration says; one that says otherwise is a mistake. */
export function refuseOtherEncodings(xml: string): void {
  const declaration = /^\s*<\?xml[^>]{0,200}/.exec(xml.slice(0, DECLARATION_LENGTH_MAX))?.[0] ?? '';
  const declared = /encoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1];
  if (declared === undefined || /^utf-?8$/i.test(declared)) return;
  throw badRequest(
    'document.encoding',
    `Documents are UTF-8, but the declaration says "${declared.slice(0, 40)}"`,
  );
}

const declarationForm =
  /^<\?xml\s+version\s*=\s*(["'])1\.\d+\1(\s+encoding\s*=\s*(["'])[A-Za-z][\w.-]*\3)?(\s+standalone\s*=\s*(["'])(yes|no)\5)?\s*\?>$/;

/** An instruction from its `<?` to after its `?>`; the one called `xml` is the declaration. */
export function refuseWrongInstruction(xml: string, from: number, to: number): void {
  const head = xml.slice(from, Math.min(to, from + DECLARATION_LENGTH_MAX));
  const [, name] = /^<\?([\p{L}_:][^\s?]*)/u.exec(head) ?? [];
  if (name === undefined) fail(xml, from, 'document.malformed', 'An instruction has no name');
  if (name.toLowerCase() !== 'xml') return;
  if (from !== 0) {
    const message = 'An XML declaration opens a document or is left out';
    fail(xml, from, 'document.malformed', message);
  }
  if (!declarationForm.test(head)) {
    const message = 'The XML declaration is not written as XML 1.0 wants it';
    fail(xml, from, 'document.malformed', message);
  }
}

const DECLARATION_LENGTH_MAX = 1_000;

const predefined: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * The text between two places with its references decoded: the predefined five and characters.
 *
 * @param blanks what becomes a space where it stands for itself
 */
export function decodeReferences(xml: string, from: number, to: number, blanks?: RegExp): string {
  const sent = xml.slice(from, to);
  const raw = blanks === undefined ? sent : sent.replaceAll(blanks, ' ');
  let decoded = '';
  let last = 0;
  let count = 0;
  for (let at = raw.indexOf('&'); at !== -1; at = raw.indexOf('&', last)) {
    count += 1;
    if (count > REFERENCES_MAX) {
      const message = `A text has at most ${REFERENCES_MAX} references`;
      fail(xml, from + at, 'document.elements', message);
    }
    const name = reference(raw, at);
    decoded += raw.slice(last, at) + characterOf(xml, from + at, name);
    last = at + name.length + 2;
  }
  return last === 0 ? raw : decoded + raw.slice(last);
}

/** More than any text of a document may have characters. */
const REFERENCES_MAX = 10_000;
const REFERENCE_LENGTH_MAX = 12;

/** What stands between `&` and `;`, or nothing, which no reference is. */
function reference(raw: string, at: number): string {
  const end = raw.slice(at, at + REFERENCE_LENGTH_MAX).indexOf(';');
  return end === -1 ? '' : raw.slice(at + 1, at + end);
}

function characterOf(xml: string, at: number, name: string): string {
  const entity = Object.hasOwn(predefined, name) ? predefined[name] : undefined;
  if (entity !== undefined) return entity;
  const [, decimal, hex] = /^#(?:(\d{1,7})|x([0-9a-fA-F]{1,6}))$/.exec(name) ?? [];
  if (decimal === undefined && hex === undefined) {
    fail(xml, at, 'document.entity', 'Only &amp; &lt; &gt; &quot; &apos; are known as entities');
  }
  const point = decimal === undefined ? parseInt(hex ?? '', 16) : parseInt(decimal, 10);
  if (!isXmlCharacter(point)) {
    fail(xml, at, 'document.character', `&${name}; is no character of XML 1.0`);
  }
  return String.fromCodePoint(point);
}

const isXmlCharacter = (point: number): boolean =>
  point === 0x9 ||
  point === 0xa ||
  point === 0xd ||
  (point >= 0x20 && point <= 0xd7ff) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff);
