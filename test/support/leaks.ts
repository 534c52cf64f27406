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

const BASE64_GROUP = 3;

/** The middle of its base64 form, wherever in the encoded text it begins. */
function base64Forms(clear: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + clear).toString('base64');
    const whole = Math.floor((before + clear.length) / BASE64_GROUP) * 4;
    return encoded.slice(before === 0 ? 0 : 4, whole);
  });
}

function numberForms(number: string): string[] {
  const hash = createHash('sha256').update(number);
  return [
    number,
    number.replaceAll(/(.{4})(?=.)/g, '$1 '),
    number.replaceAll(/(.{4})(?=.)/g, '$1-'),
    Buffer.from(number).toString('hex'),
    ...base64Forms(number),
    // So few numbers are possible that a hash without a key is as good as the number.
    hash.copy().digest('hex'),
    hash.digest('base64'),
  ];
}

function codeForms(code: string): string[] {
  const fields = [`>${code}<`, `"${code}"`, `'${code}'`];
  return [
    ...fields,
    ...fields.flatMap((field) => [Buffer.from(field).toString('hex'), ...base64Forms(field)]),
  ];
}

/** What of the secrets the text holds, by the ends of the numbers only. */
export function leaksIn(text: string, { numbers, codes }: Secrets): string[] {
  return [
    ...numbers.filter((number) => numberForms(number).some((form) => text.includes(form))),
    ...codes.filter((code) => codeForms(code).some((form) => text.includes(form))),
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
