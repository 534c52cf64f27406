/** The caller's Idempotency-Key, and the fingerprint that distinguishes requests with one key. */
import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { holdsCardNumber } from '../../domain/payments/card-masking.ts';
import type { KeyedRequest } from '../../operations/context/idempotency.ts';
import { badRequest } from './errors.ts';

interface Request {
  readonly method: string;
  readonly url: string;
  readonly header: (name: string) => string | undefined;
}

const FINGERPRINT_BYTES = 32;

/**
 * The secret of the fingerprints, which are stored. A plain hash would reveal a card number in the
 * request, because most of its digits are known and the rest can be guessed.
 */
export function fingerprintKeyOf(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'sundial requests v1', FINGERPRINT_BYTES));
}

/** Undefined without a key; refuses a key that is empty, too long or not printable. */
export function keyedRequest(
  request: Request,
  body: Uint8Array,
  fingerprintKey: Buffer,
): KeyedRequest | undefined {
  const key = request.header('idempotency-key');
  if (key === undefined) return undefined;
  if (!/^[\u0020-\u007e]{1,255}$/.test(key)) {
    throw badRequest(
      'idempotency.key',
      'An Idempotency-Key has 1 to 255 printable characters of ASCII',
      'Idempotency-Key',
    );
  }
  const hash = createHmac('sha256', fingerprintKey);
  hash.update(`${request.method}\n${request.url}\n`).update(body);
  return { key: keptKey(key, fingerprintKey), hash: hash.digest() };
}

/** A key that contains a card number is stored as its fingerprint. */
function keptKey(key: string, fingerprintKey: Buffer): string {
  if (!holdsCardNumber(key)) return key;
  return createHmac('sha256', fingerprintKey).update(`key\n${key}`).digest('base64url');
}

/** A key for other systems: the same if the request is repeated with its Idempotency-Key. */
export function onceKeyOf(keyed: KeyedRequest | undefined): string {
  if (keyed === undefined) return randomUUID();
  return createHash('sha256').update(`${keyed.key}\n`).update(keyed.hash).digest('base64url');
}
