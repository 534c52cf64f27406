/** Finds numbers of cards and accounts, and security codes, in whatever was printed or stored. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cardBrand, passesLuhn } from '../../domain/cards.ts';

export interface Secrets {
  /** Found wherever they stand, also encoded, and as they are printed on a card. */
  readonly numbers: readonly string[];
  /** Short, so found only as a field of their own: `>7391<`, `"7391"`. */
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
  ];
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

const codeForms = (code: string): string[] => [`>${code}<`, `"${code}"`, `'${code}'`];

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
  return [
    ...numbers.filter((number) => numberForms(number).some(said)),
    ...codes.filter((code) => codeForms(code).some(said)),
  ].map((secret) => `*****${secret.slice(-4)}`);
}

const tests = join(import.meta.dirname, '..');

/** Accounts that tests send. */
const accounts = ['000123456789', '000111111116', '88000445566778899'];

/** What the tests use, but for security codes, which are found in their context only. */
export function secretsOfTests(): Secrets {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(tests, file), 'utf8').match(/\d{13,19}/g) ?? [])
    .filter((digits) => cardBrand(digits) !== null && passesLuhn(digits));
  return { numbers: [...new Set([...found, ...accounts])], codes: [] };
}
