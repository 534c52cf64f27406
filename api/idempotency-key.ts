/** The caller's Idempotency-Key, and what makes another request of one that bears the same. */
import { createHash, randomUUID } from 'node:crypto';
import type { KeyedRequest } from '../operations/idempotency.ts';
import { badRequest } from './errors.ts';

interface Request {
  readonly method: string;
  readonly url: string;
  readonly header: (name: string) => string | undefined;
}

/** Undefined where no key was sent; refuses one that is empty, too long or not printable. */
export function keyedRequest(request: Request, body: Uint8Array): KeyedRequest | undefined {
  const key = request.header('idempotency-key');
  if (key === undefined) return undefined;
  if (!/^[\u0020-\u007e]{1,255}$/.test(key)) {
    throw badRequest(
      'idempotency.key',
      'An Idempotency-Key has 1 to 255 printable characters of ASCII',
      'Idempotency-Key',
    );
  }
  const hash = createHash('sha256').update(`${request.method}\n${request.url}\n`).update(body);
  return { key, hash: hash.digest() };
}

/** For what is asked of others: the same for a request that is sent again under its key. */
export function onceKeyOf(keyed: KeyedRequest | undefined): string {
  if (keyed === undefined) return randomUUID();
  return createHash('sha256').update(`${keyed.key}\n`).update(keyed.hash).digest('base64url');
}
