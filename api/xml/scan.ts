/** Checks characters, names and references by XML 1.0, and refuses with line and column. */
import type { ErrorCode } from '../calls/catalogue.ts';
import { badRequest } from '../calls/errors.ts';

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

/**
 * Refused everywhere, even in a comment, so that parsers cannot disagree on where a comment ends.
 */
export function refuseForbidden(xml: string): void {
  const doctype = xml.search(/<!DOCTYPE/i);
  if (doctype !== -1) fail(xml, doctype, 'document.doctype', 'A DOCTYPE is not accepted');
  const control = xml.search(forbidden);
  if (control === -1) return;
  const code = xml.charCodeAt(control).toString(16).toUpperCase().padStart(4, '0');
  fail(xml, control, 'document.character', `Character U+${code} is not allowed in XML 1.0`);
}

/** The end of the blanks at an index; XML has only these four. */
export function skipBlanks(xml: string, at: number): number {
  blanks.lastIndex = at;
  return blanks.test(xml) ? blanks.lastIndex : at;
}

// Sticky, so that each looks at one place only, and no further than its length limit.
const blanks = /[ \t\r\n]*/y;

const NAME_LENGTH_MAX = 100;
/** The production NameStartChar of XML 1.0, fifth edition. */
const NAME_START = String.raw`:A-Z_a-z\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{2FF}\u{370}-\u{37D}\u{37F}-\u{1FFF}\u{200C}\u{200D}\u{2070}-\u{218F}\u{2C00}-\u{2FEF}\u{3001}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFFD}\u{10000}-\u{EFFFF}`;
const NAME_MORE = String.raw`${NAME_START}\-.0-9\u{B7}\u{300}-\u{36F}\u{203F}\u{2040}`;
const namePattern = new RegExp(`[${NAME_START}][${NAME_MORE}]{0,${NAME_LENGTH_MAX - 1}}`, 'uy');

/** The name that begins at an index; undefined if none does. */
export function nameAt(xml: string, at: number): string | undefined {
  namePattern.lastIndex = at;
  const name = namePattern.exec(xml)?.[0];
  if (name !== undefined && name.length >= NAME_LENGTH_MAX) {
    const message = `A name has at most ${NAME_LENGTH_MAX - 1} characters`;
    fail(xml, at, 'document.malformed', message);
  }
  return name;
}

/** Documents are UTF-8; a declaration of another encoding is a mistake. */
export function refuseOtherEncodings(xml: string): void {
  const declaration =
    /^[ \t\r\n]*<\?xml[ \t\r\n][^>]{0,200}/.exec(xml.slice(0, DECLARATION_LENGTH_MAX))?.[0] ?? '';
  const declared = /encoding[ \t\r\n]*=[ \t\r\n]*["']([^"']*)["']/.exec(declaration)?.[1];
  if (declared === undefined || /^utf-?8$/i.test(declared)) return;
  throw badRequest(
    'document.encoding',
    `Documents are UTF-8, but the declaration says "${declared.slice(0, 40)}"`,
  );
}

const declarationForm =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(["'])1\.\d+\1([ \t\n]+encoding[ \t\n]*=[ \t\n]*(["'])[A-Za-z][\w.-]*\3)?([ \t\n]+standalone[ \t\n]*=[ \t\n]*(["'])(yes|no)\5)?[ \t\n]*\?>$/;

/**
 * Checks an instruction from its `<?` to after its `?>`; the one named `xml` is the declaration.
 */
export function refuseWrongInstruction(xml: string, from: number, to: number): void {
  const name = nameAt(xml, from + 2);
  if (name === undefined) fail(xml, from, 'document.malformed', 'An instruction has no name');
  const end = from + 2 + name.length;
  if (end !== to - 2 && skipBlanks(xml, end) === end) {
    fail(xml, end, 'document.malformed', 'A blank is missing after the name of an instruction');
  }
  if (name.toLowerCase() !== 'xml') return;
  if (from !== 0) {
    const message = 'An XML declaration is only allowed at the start of a document';
    fail(xml, from, 'document.malformed', message);
  }
  if (!declarationForm.test(xml.slice(from, Math.min(to, from + DECLARATION_LENGTH_MAX)))) {
    const message = 'The XML declaration is not valid in XML 1.0';
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
 * @param blanks the literal characters that become a space
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

/** More than any text of a document may have in characters. */
const REFERENCES_MAX = 10_000;
/** The number of a character may have leading zeros, but not arbitrarily many. */
const REFERENCE_LENGTH_MAX = 100;

/** The text between `&` and `;`, or an empty text, which is not a reference. */
function reference(raw: string, at: number): string {
  const end = raw.slice(at, at + REFERENCE_LENGTH_MAX).indexOf(';');
  return end === -1 ? '' : raw.slice(at + 1, at + end);
}

function characterOf(xml: string, at: number, name: string): string {
  const entity = Object.hasOwn(predefined, name) ? predefined[name] : undefined;
  if (entity !== undefined) return entity;
  const [, decimal, hex] = /^#(?:0*(\d{1,7})|x0*([0-9a-fA-F]{1,6}))$/.exec(name) ?? [];
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
