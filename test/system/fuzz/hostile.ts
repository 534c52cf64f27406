/** Changes what a caller may send into what nobody expects: values, documents, queries, headers, files. */
import type { Dice } from '../../support/dice.ts';

/** Texts that programs read in other ways than people, numbers and dates at the edges of what is stored. */
export const texts: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '00',
  '+1',
  '1.',
  '.5',
  '1,5',
  '1e3',
  '1e309',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '\u0663',
  '9'.repeat(15),
  '9'.repeat(40),
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '99999999999999.99',
  `0.${'0'.repeat(30)}1`,
  '2027-01-15',
  '2027-02-30',
  '2028-02-29',
  '0000-00-00',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '-0044-03-15',
  '2027-01-01T00:00:00Z',
  '2027-13-01T25:61:61+99:99',
  'true',
  'TRUE',
  'null',
  'undefined',
  "' or 1=1 --",
  '\\',
  '%',
  '_%',
  '%00',
  '{ref}',
  '{{7*7}}',
  '${7*7}',
  '<%= 7*7 %>',
  '=1+1',
  '../../etc/passwd',
  'http://169.254.169.254/latest',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'toString',
  'a@b',
  'ada@example.com',
  'x'.repeat(256),
  'x'.repeat(9_000),
  '\u00E9\u0301\u0301\u0301\u0301',
  '\u{1F600}\u{10FFFF}',
  '\u202Eevil\u202C',
  '\uFEFF\u200B',
  '\uFFFE',
  'line\nbreak\r\n',
  'USD',
  'usd',
  'GOLD',
  'Active',
  'C-1',
];

const scraps: readonly (string | Buffer)[] = [
  '<',
  '>',
  '&',
  '&#0;',
  '&#xD800;',
  '&#x41;',
  '&nbsp;',
  '<!-- -- -->',
  '<![CDATA[',
  '<![CDATA[x]]>',
  ']]>',
  '<?xml version="1.0"?>',
  '<?x ?>',
  '<!DOCTYPE x [<!ENTITY a "&a;&a;">]>',
  '\u0000',
  '\u0001',
  '\u000B',
  '\uFFFF',
  'xmlns:x="y"',
  'xsi:nil="true"',
  Buffer.from([0xff]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xc0, 0xaf]),
];

/** Of an element; more would only show that a document is too long. */
const REPEATS_MAX = 120;
const NESTED_MAX = 40;

type Edit = (dice: Dice, xml: string, names: readonly string[]) => string | Buffer;

/** An element without others in it. */
const LEAF = /<([\w:.-]+)(\s[^<>]*)?>([^<]*)<\/\1\s*>/g;
const OPEN = /<([\w:.-]+)((?:\s[^<>]*?)?)(\/?)>/g;

function edited(
  dice: Dice,
  xml: string,
  pattern: RegExp,
  change: (match: RegExpExecArray) => string,
): string {
  const found = [...xml.matchAll(pattern)] as RegExpExecArray[];
  if (found.length === 0) return `${xml}<`;
  const match = dice.pick(found);
  return xml.slice(0, match.index) + change(match) + xml.slice(match.index + match[0].length);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const someText = (dice: Dice): string => escaped(dice.pick(texts));

const at = (dice: Dice, xml: string, scrap: string | Buffer): Buffer => {
  const bytes = Buffer.from(xml);
  const place = dice.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(scrap), bytes.subarray(place)]);
};

const edits: readonly Edit[] = [
  // Values, the most of all: they pass the reader, and meet the rules.
  (dice, xml) => edited(dice, xml, LEAF, ([, name]) => `<${name}>${someText(dice)}</${name}>`),
  (dice, xml) => edited(dice, xml, LEAF, ([, name]) => `<${name}>${someText(dice)}</${name}>`),
  (dice, xml) => edited(dice, xml, LEAF, ([, name]) => `<${name}>${someText(dice)}</${name}>`),
  (dice, xml) => edited(dice, xml, LEAF, () => ''),
  (dice, xml) => edited(dice, xml, LEAF, ([all]) => all.repeat(2 + dice.below(2))),
  (dice, xml) => edited(dice, xml, LEAF, ([all]) => all.repeat(2 + dice.below(REPEATS_MAX))),
  (dice, xml, names) =>
    edited(dice, xml, LEAF, ([, , , text]) => {
      const name = dice.pick(names);
      return `<${name}>${text}</${name}>`;
    }),
  (dice, xml, names) =>
    edited(dice, xml, OPEN, ([all]) => {
      const name = dice.pick(names);
      return `${all}<${name}>${someText(dice)}</${name}>`;
    }),
  (dice, xml) =>
    edited(dice, xml, OPEN, ([, name, , end]) => `<${name} id="${someText(dice)}"${end}>`),
  (dice, xml) => edited(dice, xml, OPEN, ([, name, given, end]) => `<${name}${given} x="1"${end}>`),
  (dice, xml) =>
    edited(dice, xml, LEAF, ([all, name]) => {
      const depth = 1 + dice.below(NESTED_MAX);
      return `<${name}>`.repeat(depth) + all + `</${name}>`.repeat(depth);
    }),
  (dice, xml, names) => xml.replace(/<\w+/, `<${dice.pick(names)}`),
  (dice, xml) => xml.slice(0, dice.below(xml.length + 1)),
  (dice, xml) => at(dice, xml, dice.pick(scraps)),
  (dice, xml) => at(dice, xml, dice.pick(scraps)),
  (dice, xml) => Buffer.from(xml, dice.pick(['utf16le', 'latin1'] as const)),
  (dice, xml) => `<?xml version="1.0" encoding="${dice.pick(['UTF-16', 'x', 'UTF-8'])}"?>${xml}`,
  (_dice, xml) => `\uFEFF${xml}`,
  (_dice, xml) => xml + xml,
  () => '',
  (dice) => Buffer.from(Array.from({ length: dice.below(64) }, () => dice.below(256))),
];

/** @param names elements of the call's documents, and others */
export function hostileXml(dice: Dice, xml: string, names: readonly string[]): Buffer {
  let document: string | Buffer = xml;
  for (let left = 1 + dice.below(3); left > 0 && typeof document === 'string'; left -= 1) {
    document = dice.pick(edits)(dice, document, names);
  }
  return Buffer.from(document);
}

export type Pairs = readonly (readonly [name: string, value: string])[];

/** As it stands in an address, with what is no valid encoding too. */
const encoded = (dice: Dice, text: string): string =>
  dice.chance(6)
    ? dice.pick(['%', '%zz', '%c0%af', '%ed%a0%80', '%00', '+', '&', '=', '#', '\u00E9'])
    : encodeURIComponent(text.toWellFormed());

/** @param names parameters of the call, and others */
export function hostileQuery(dice: Dice, pairs: Pairs, names: readonly string[]): string {
  const changed = [...pairs];
  for (let left = dice.below(4); left > 0; left -= 1) {
    const place = dice.below(changed.length + 1);
    const pair = [dice.pick(names), dice.pick(texts)] as const;
    changed.splice(place, dice.chance(60) ? 0 : 1, pair);
  }
  return changed
    .map(([name, value]) => `${encoded(dice, name)}=${encoded(dice, value)}`)
    .join(dice.chance(3) ? ';' : '&');
}

export const plainQuery = (pairs: Pairs): string =>
  pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');

/** Fields of a form with others' values, twice, or none. */
export function hostileForm(dice: Dice, fields: Pairs): string {
  const changed: (readonly [string, string])[] = [...fields];
  for (let left = 1 + dice.below(3); left > 0; left -= 1) {
    const place = dice.below(changed.length + 1);
    const [name] = changed[place] ?? [dice.pick(texts)];
    const kind = dice.below(10);
    if (kind === 0) changed.splice(place, 1);
    else if (kind === 1) changed.splice(place, 0, [name, dice.pick(texts)]);
    else changed.splice(place, 1, [name, dice.pick(texts)]);
  }
  const body = changed
    .map(([name, value]) => `${encoded(dice, name)}=${encoded(dice, value)}`)
    .join('&');
  return dice.chance(4) ? body.slice(0, dice.below(body.length + 1)) : body;
}

const cells: readonly string[] = ['"', '""', '"a,b"', '"a\nb"', "'", ';', '\t', '\r', '""a'];

/** A file with other cells, columns, quotes, line ends, or bytes. */
export function hostileCsv(dice: Dice, columns: readonly string[], text: string): Buffer {
  let rows = text.split('\n').map((row) => row.split(','));
  for (let left = 1 + dice.below(4); left > 0; left -= 1) {
    const row = dice.pick(rows);
    const cell = dice.below(row.length + 1);
    const kind = dice.below(12);
    if (kind < 6) row[cell] = dice.pick(texts);
    else if (kind === 6) row[cell] = dice.pick(cells);
    else if (kind === 7) row[cell] = dice.pick(columns);
    else if (kind === 8) row.splice(cell, 1);
    else if (kind === 9) rows = [...rows, row];
    else if (kind === 10) rows = rows.toReversed();
    else rows.splice(dice.below(rows.length + 1), 0, []);
  }
  const joined = rows.map((row) => row.join(',')).join(dice.pick(['\n', '\n', '\n', '\r\n', '\r']));
  if (dice.chance(5)) return Buffer.from(joined, 'utf16le');
  return dice.chance(10) ? at(dice, joined, dice.pick(scraps)) : Buffer.from(joined);
}

export type Headers = Readonly<Record<string, string>>;

/** Some headers with odd values; `null` leaves one out. */
const oddHeaders: Readonly<Record<string, readonly (string | null)[]>> = {
  authorization: [
    null,
    'Basic',
    'Basic !!!!',
    `Basic ${Buffer.from('nobody:x').toString('base64')}`,
    `Basic ${Buffer.from('a\u0000b:x').toString('base64')}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    'Bearer abc',
  ],
  host: ['', 'localhost', 'nobody.localhost', 'a.b.localhost', 'x:99999', 'a, b', '[::1]', '%00'],
  'content-type': [
    null,
    '',
    'text/xml',
    'application/json',
    'multipart/form-data; boundary=x',
    'application/xml; charset=utf-16',
    'application/xml;;;=',
    'text/csv',
  ],
  'content-encoding': ['gzip', 'deflate', 'br', 'zstd', 'x', 'identity'],
  'idempotency-key': ['', ' ', 'k', 'k'.repeat(300), '\u00E9', 'a b', "'"],
  'if-match': ['*', '"1"', 'W/"1"', '1', '"99999999999999999999"', '""', '"1", "2"', 'x'],
  accept: ['*/*', 'application/json', 'text/html', ';q=2', ''],
  'accept-language': ['*', 'de', 'zz-ZZ-x-a', 'en;q=0', ',,,;q=', 'x'.repeat(500)],
  'accept-encoding': ['gzip', 'gzip;q=0, *;q=0', 'br;q=x'],
  'x-request-id': ['x'.repeat(200), '4111111111111111', '<a>'],
  'x-forwarded-for': ['1.2.3.4', '::', "' or 1=1"],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-proto': ['gopher'],
  range: ['bytes=0-0', 'bytes=99999999999999999999-', 'x'],
  expect: ['100-continue', 'nothing'],
  origin: ['null', 'http://evil.example', 'x', ''],
  'sec-fetch-site': ['cross-site', 'same-origin', 'x'],
  cookie: ['a=b; __proto__=c', '='.repeat(50)],
  referer: ['http://evil.example/', '::'],
  'user-agent': ['', 'x'.repeat(1_000)],
  'stripe-signature': ['t=1,v1=x', 't=,v1=', 'x'.repeat(500), 't=99999999999,v1=00'],
  'x-long': ['x'.repeat(20_000)],
};

export const headerNames: readonly string[] = Object.keys(oddHeaders);

export function hostileHeaders(dice: Dice, headers: Headers): Headers {
  const changed: Record<string, string> = { ...headers };
  for (let left = 1 + dice.below(2); left > 0; left -= 1) {
    const name = dice.pick(headerNames);
    const value = dice.pick(oddHeaders[name] ?? ['']);
    if (value === null) delete changed[name];
    else changed[name] = value;
  }
  return changed;
}
