/** Passwords as argon2id hashes in the PHC string format, which contains its parameters. */
import assert from 'node:assert/strict';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export interface HashCost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's first recommendation for argon2id; about 40 ms on a small machine. */
export const standardCost: HashCost = { memoryKib: 19_456, passes: 2, parallelism: 1 };

/** For tests of other subjects. */
export const cheapCost: HashCost = { memoryKib: 8, passes: 1, parallelism: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const deriveKey = promisify(argon2);

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
export function hashPassword(password: string, cost = standardCost): Promise<string> {
  return hashWith(password, { salt: randomBytes(SALT_BYTES), cost });
}

/** Hashes with the salt and the cost of a stored hash, so that one derivation compares with both. */
export function hashBeside(password: string, stored: string): Promise<string> {
  return hashWith(password, partsOf(stored));
}

/** Whether the password is the hashed one; compares in constant time. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  return (await matchPassword(password, stored)) === true;
}

/** Whether a password is the hashed one, or the one before. */
export type Match = boolean | 'old';

/**
 * @param old made by `hashBeside` of the stored hash: a comparison with both takes as long as with
 *   one, so its time does not tell which users have a password before
 */
export async function matchPassword(
  password: string,
  stored: string,
  old: string | null = null,
): Promise<Match> {
  const { salt, cost, hash } = partsOf(stored);
  const actual = await derive(password, salt, cost, hash.length);
  if (timingSafeEqual(actual, hash)) return true;
  if (old === null) return false;
  const before = partsOf(old);
  assert(before.salt.equals(salt), 'the hash of an old password has the salt of its successor');
  return timingSafeEqual(actual, before.hash) && 'old';
}

interface HashParts {
  readonly salt: Buffer;
  readonly cost: HashCost;
}

async function hashWith(password: string, { salt, cost }: HashParts): Promise<string> {
  const hash = await derive(password, salt, cost, HASH_BYTES);
  const parameters = `m=${cost.memoryKib},t=${cost.passes},p=${cost.parallelism}`;
  return `$argon2id$v=19$${parameters}$${encode(salt)}$${encode(hash)}`;
}

function partsOf(stored: string): HashParts & { readonly hash: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (match === null) throw new Error('a stored password hash is not in the expected format');
  const [, memory, passes, parallelism, salt = '', hash = ''] = match;
  const cost = {
    memoryKib: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  return { salt: Buffer.from(salt, 'base64'), cost, hash: Buffer.from(hash, 'base64') };
}

function derive(password: string, salt: Buffer, cost: HashCost, length: number): Promise<Buffer> {
  return deriveKey('argon2id', {
    message: password,
    nonce: salt,
    memory: cost.memoryKib,
    passes: cost.passes,
    parallelism: cost.parallelism,
    tagLength: length,
  });
}

/** The PHC format omits base64's padding. */
function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
