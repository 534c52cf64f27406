/** The kinds of values that variables of the environment have; an error never repeats a value. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';

const PORT_MAX = 65_535;
const SECRET_KEY_LENGTH_MIN = 32;

export function integer(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

export function url(schemes: readonly string[]): z.ZodType<string, string> {
  // The value itself is not repeated: such addresses carry passwords.
  return z
    .string()
    .refine(
      (value) => schemes.includes(URL.parse(value)?.protocol ?? ''),
      `must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );
}

export const port = integer(0, PORT_MAX);
export const host = z
  .string()
  .regex(/^[A-Za-z0-9.:_-]+$/, 'must be an address or the name of a host');
/** Of a name or an address, which may be in brackets. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

export const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((it) => it === 'true');
/** As Temporal's own programs take it. */
export const temporalFlag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((it) => it === 'true' || it === '1');
export const file = z.string().superRefine((name, context) => {
  const mistake = fileMistake(name);
  if (mistake !== undefined) context.addIssue({ code: 'custom', message: mistake });
});

/** What is wrong with a file that is to be read; undefined if nothing is. */
export function fileMistake(name: string): string | undefined {
  if (!existsSync(name)) return 'names a file that does not exist';
  if (statSync(name).isDirectory()) return 'names a folder, where it must name a file';
  try {
    accessSync(name, constants.R_OK);
    return undefined;
  } catch {
    return 'names a file that this user may not read';
  }
}

export const secret = z
  .string()
  .min(SECRET_KEY_LENGTH_MIN, `must have at least ${SECRET_KEY_LENGTH_MIN} characters`);

const PASSWORD_LENGTH_MIN = 16;

/** That people type. */
export const password = z
  .string()
  .min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`);

/** Blanks are between them; as a JSON list they may have blanks themselves. */
export const secrets = z
  .string()
  .transform((text, context) => {
    if (!text.trimStart().startsWith('[')) return text.trim().split(/\s+/);
    try {
      return z.array(z.string()).parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: 'begins with [, but is no JSON list of texts' });
      return z.NEVER;
    }
  })
  .refine(
    (each) => each.every(({ length }) => length >= SECRET_KEY_LENGTH_MIN),
    `must have at least ${SECRET_KEY_LENGTH_MIN} characters in each key`,
  );

export const origins = z
  .string()
  .transform((text) => text.trim().split(/[\s,]+/))
  .refine(
    (each) =>
      each.every((origin) => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin),
    'must be origins, such as http://127.0.0.1:8233, with blanks between them',
  );

/** The error does not repeat the value, which may contain credentials. */
export const storageUrl = z
  .string()
  .transform((value) => (/^[a-z][a-z0-9+.-]*:/i.test(value) ? value : resolve(value)))
  .superRefine((value, context) => {
    const mistake = value.startsWith('/') ? folderMistake(value) : bucketMistake(value);
    if (mistake !== undefined) context.addIssue({ code: 'custom', message: mistake });
  });

/** The folder may be yet to be made; what its path goes through may not be a file. */
function folderMistake(path: string): string | undefined {
  if (existsSync(path)) {
    return statSync(path).isDirectory() ? undefined : 'names a file, where it must name a folder';
  }
  return path === dirname(path) ? undefined : folderMistake(dirname(path));
}

/** Names of buckets as S3 has them: 3 to 63 of small letters, digits, points and hyphens. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

function bucketMistake(value: string): string | undefined {
  const url = URL.parse(value);
  if (url?.protocol !== 's3:') return 'must be a folder or s3://bucket/prefix';
  if (url.username !== '' || url.password !== '') return 'must hold no credentials';
  if (!bucketName.test(url.hostname)) {
    return 'must name a bucket after s3://, of 3 to 63 small letters, digits, points and hyphens';
  }
  if (url.port !== '' || url.hash !== '' || !/^[\w./-]*$/.test(url.pathname)) {
    return 'must be s3://bucket/prefix';
  }
  return [...url.searchParams].map(bucketSettingMistake).find((mistake) => mistake !== undefined);
}

function bucketSettingMistake([name, value]: readonly [string, string]): string | undefined {
  if (name === 'region') {
    return /^[a-z0-9-]{1,40}$/.test(value) ? undefined : 'must name a region after region=';
  }
  if (name !== 'endpoint') return 'may have region and endpoint after ?, and nothing else';
  const url = URL.parse(value);
  if (url && url.username + url.password !== '') return 'must hold no credentials';
  return url && /^https?:$/.test(url.protocol) && url.search + url.hash === ''
    ? undefined
    : 'must name a server after endpoint= that begins with https:// or http://';
}
