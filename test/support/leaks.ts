/** Finds numbers of cards and accounts, and security codes, in whatever was printed or stored. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cardBrand, passesLuhn } from '../../domain/payments/cards.ts';

export interface Secrets {
  /** Found wherever they stand, also encoded, and as they are printed on a card. */
  readonly numbers: readonly string[];
  /**
   * Short, so found only as a field of their own, `>7391<` or `"7391"`, escaped and encoded as well:
   * a bare one may be a process, a port or a length. Under a name of security codes any is found,
   * whether it is known here or not.
   */
  readonly codes: readonly string[];
}

/** The least that holds a code between its delimiters: five bytes. */
const HEX_RUN = /[\da-f]{10,}/gi;
const BASE64_RUN = /[\w+/-]{7,}/g;
const HEX_STARTS = [0, 1];
const BASE64_STARTS = [0, 1, 2, 3];

/** The text, and what it says where it is read as hexadecimal or base64, wherever that begins. */
function readings(text: string): string[] {
  const decoded = (runs: RegExp, encoding: 'hex' | 'base64', starts: readonly number[]) =>
    starts.map((start) =>
      Array.from(text.matchAll(runs), ([run]) =>
        Buffer.from(run.slice(start), encoding).toString('latin1'),
      ).join('\n'),
    );
  return [
    text,
    ...decoded(HEX_RUN, 'hex', HEX_STARTS),
    ...decoded(BASE64_RUN, 'base64', BASE64_STARTS),
  ].flatMap((reading) => {
    const plain = unescaped(reading);
    return plain === reading ? [reading] : [reading, plain];
  });
}

const delimiters: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#34': '"',
  '#39': "'",
  '22': '"',
  '27': "'",
  '3a': ':',
  '3c': '<',
  '3d': '=',
  '3e': '>',
};
const escapes = [
  /\\+(?<quote>["'])/g,
  /\\+u00(?<code>22|27|3[acde])/gi,
  /%(?:25)*(?<code>22|27|3[acde])/gi,
  /&(?:amp;)*(?<code>lt|gt|quot|apos|#34|#39);/g,
];

/** With what may stand around a field as itself: of JSON within JSON, of XML within XML, of addresses. */
function unescaped(text: string): string {
  return escapes.reduce(
    (plain, escape) =>
      plain.replaceAll(escape, (...match) => {
        const { quote, code = '' } = match.at(-1) as { quote?: string; code?: string };
        return quote ?? delimiters[code.toLowerCase()] ?? '';
      }),
    text,
  );
}

function numberForms(number: string): string[] {
  const hash = createHash('sha256').update(number);
  return [
    number,
    number.replaceAll(/(.{4})(?=.)/g, '$1 '),
    number.replaceAll(/(.{4})(?=.)/g, '$1-'),
    // So few numbers are possible that a hash without a key is as good as the number.
    hash.copy().digest('hex'),
    hash.digest('base64'),
  ];
}

function codeForms(code: string): string[] {
  const hash = createHash('sha256').update(code);
  return [
    `>${code}<`,
    `"${code}"`,
    `'${code}'`,
    hash.copy().digest('hex'),
    hash.digest('base64').replace('=', ''),
  ];
}

/** `cvv: 739`, `"cvc":7391`, `securityCode=739`: what stands under such a name is one. */
const NAMED_CODE =
  /(?:cvv|cvc|csc|security_?code)2?["'\s]{0,3}[:=>]["'\s]{0,3}(?<code>\d{3,4})(?!\d)/gi;

const namedCodes = (text: string): string[] =>
  Array.from(text.matchAll(NAMED_CODE), ({ groups }) => groups?.['code'] ?? '');

/** Without times and lengths: these may by chance be any number, so also a security code. */
export function withoutMeasures(text: string): string {
  return text
    .replaceAll(/<responseTimeMilliSec>\d+</g, '<responseTimeMilliSec><')
    .replaceAll(/"content-length":"\d+"/g, '');
}

/** What of the secrets the text holds, by the ends of the numbers only. */
export function leaksIn(text: string, { numbers, codes }: Secrets): string[] {
  const texts = readings(text);
  const said = (form: string): boolean => texts.some((reading) => reading.includes(form));
  const found = new Set([
    ...numbers.filter((number) => numberForms(number).some(said)),
    ...codes.filter((code) => codeForms(code).some(said)),
    ...texts.flatMap(namedCodes),
  ]);
  return Array.from(found, (secret) => `*****${secret.slice(-4)}`);
}

const tests = join(import.meta.dirname, '..');

/** Accounts that tests send. */
const accounts = ['000123456789', '000111111116', '88000445566778899'];

/** What the tests use; security codes are so many that they are found under their names only. */
export function secretsOfTests(): Secrets {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(tests, file), 'utf8').match(/\d{13,19}/g) ?? [])
    .filter((digits) => cardBrand(digits) !== null && passesLuhn(digits));
  return { numbers: [...new Set([...found, ...accounts])], codes: [] };
}
