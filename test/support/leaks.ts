/** Finds numbers of cards and accounts, and security codes, in anything printed or stored. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cardBrand, passesLuhn } from '../../domain/payments/cards.ts';
import { noteFinding } from './records.ts';

export interface Secrets {
  /** Found anywhere, also encoded, and as printed on a card. */
  readonly numbers: readonly string[];
  /**
   * Short numbers, so found only as a separate field, `>7391<` or `"7391"`, also escaped and
   * encoded: a bare number may be a process, a port or a length. In a field for security codes any
   * code is found, known here or not.
   */
  readonly codes: readonly string[];
}

/** The smallest text with a code between its delimiters: five bytes. */
const HEX_RUN = /[\da-f]{10,}/gi;
const BASE64_RUN = /[\w+/-]{7,}/g;
const HEX_STARTS = [0, 1];
const BASE64_STARTS = [0, 1, 2, 3];

/** The text, and its decoded forms where it is hexadecimal or base64, at any position. */
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

/**
 * With everything that may surround a field: also JSON within JSON, XML within XML, and addresses.
 */
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
    // There are so few numbers that a hash without a key reveals the number.
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

/** `cvv: 739`, `"cvc":7391`, `securityCode=739`: the value of such a name is a code. */
const NAMED_CODE =
  /(?:cvv|cvc|csc|security_?code)2?["'\s]{0,3}[:=>]["'\s]{0,3}(?<code>\d{3,4})(?!\d)/gi;

const namedCodes = (text: string): string[] =>
  Array.from(text.matchAll(NAMED_CODE), ({ groups }) => groups?.['code'] ?? '');

/** Without times and lengths, which may be any number by chance, and so also a security code. */
export function withoutMeasures(text: string): string {
  return text
    .replaceAll(/<responseTimeMilliSec>\d+</g, '<responseTimeMilliSec><')
    .replaceAll(/"content-length":"\d+"/g, '');
}

/** The secrets in the text, with the ends of the numbers only. */
export function leaksIn(text: string, { numbers, codes }: Secrets): string[] {
  const texts = readings(text);
  const said = (form: string): boolean => texts.some((reading) => reading.includes(form));
  const found = new Set([
    ...numbers.filter((number) => numberForms(number).some(said)),
    ...codes.filter((code) => codeForms(code).some(said)),
    ...texts.flatMap(namedCodes),
  ]);
  if (found.size > 0) noteFinding('leak');
  return Array.from(found, (secret) => `*****${secret.slice(-4)}`);
}

const tests = join(import.meta.dirname, '..');

/** Accounts that tests send. */
const accounts = ['000123456789', '000111111116', '88000445566778899'];

/**
 * Numbers that the tests use. There are too many security codes to list, so those are found by
 * their field names only.
 */
export function secretsOfTests(): Secrets {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(tests, file), 'utf8').match(/\d{13,19}/g) ?? [])
    .filter((digits) => cardBrand(digits) !== null && passesLuhn(digits));
  return { numbers: [...new Set([...found, ...accounts])], codes: [] };
}
