/**
 * Encrypts stored secrets with AES-256-GCM, by keys derived from SECRET_KEY, and derives the keys of
 * signatures. Beside the key that encrypts and signs there may be others, which decrypt and verify.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** SECRET_KEY, or it and those of SECRET_KEYS_OTHER after it. Only the first encrypts and signs. */
export type SecretKeys = string | readonly [string, ...string[]];

/** Whether one of the keys signed it; no comparison tells by its time how much of it is right. */
export const isSignedByAny = (
  keys: readonly Buffer[],
  given: Buffer,
  signatureBy: (key: Buffer) => Buffer,
): boolean =>
  keys.some((key) => {
    const own = signatureBy(key);
    return given.length === own.length && timingSafeEqual(given, own);
  });

/** Whether two texts are the same, in a time that says nothing of where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

export interface Vault {
  /** The context says what the secret is for; it is not stored, and decryption needs it. */
  readonly seal: (clear: string, context: string) => string;
  /** Throws if none of its keys encrypted it for this context, or if it was altered. */
  readonly open: (sealed: string, context: string) => string;
  /** What its keys are called; that of the key that encrypts comes first. */
  readonly ids: readonly [string, ...string[]];
  /** The id of the key that encrypted it; undefined if that is none of these. */
  readonly keyOf: (sealed: string, context: string) => string | undefined;
  /** A key for another use, from the one of this id. */
  readonly derive: (id: string, use: string) => Buffer;
}

const cipher = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 8;

/**
 * `v1.TEXT`, or `v2.ID.TEXT` with the id of its key. A process with one key writes the first form, which
 * the release before reads; a rotation, which needs the ids, begins once no process of it runs. Nonce and
 * tag have 38 characters.
 */
const sealedForm = /^(?:v1|v2\.([0-9a-f]{16}))\.([\w-]{38,})$/;
/** The same for SQL. */
export const SEALED_PATTERN = sealedForm.source;

/** What texts begin with that the key has encrypted, in a process that has several. */
export const markOf = (id: string): string => `v2.${id}.`;

export function createVault(secretKeys: SecretKeys): Vault {
  const keys = mapped(listOf(secretKeys), keyFor);
  const [first] = keys;
  const lead = keys.length > 1 ? markOf(first.id) : 'v1.';
  return {
    seal: (clear, context) => lead + encrypt(first.key, clear, context),
    open(sealed, context) {
      const { id, text } = parsed(sealed);
      if (id !== undefined) return decrypt(named(keys, id).key, text, context);
      const found = opened(keys, text, context);
      if (found === undefined) throw new Error('none of the secret keys decrypts it');
      return found.clear;
    },
    ids: mapped(keys, ({ id }) => id),
    keyOf(sealed, context) {
      if (!sealedForm.test(sealed)) return undefined;
      const { id, text } = parsed(sealed);
      const asked = id === undefined ? keys : keys.filter((each) => each.id === id);
      return opened(asked, text, context)?.id;
    },
    derive: (id, use) => derived(named(keys, id).secret, use),
  };
}

/** For signatures of a use: the first key signs, and each of them verifies. */
export function derivedKeys(secretKeys: SecretKeys, use: string): readonly [Buffer, ...Buffer[]] {
  return mapped(listOf(secretKeys), (each) => derived(each, use));
}

/** A short name of a secret key, which does not reveal it. */
export function keyIdOf(secretKey: string): string {
  return derived(secretKey, 'sundial key id v1').subarray(0, ID_BYTES).toString('hex');
}

export const derived = (secretKey: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', use, KEY_BYTES));

interface Key {
  readonly id: string;
  readonly secret: string;
  readonly key: Buffer;
}

// Derived for this use only: signed links use another key derived from the same SECRET_KEY.
const keyFor = (secret: string): Key => ({
  id: keyIdOf(secret),
  secret,
  key: derived(secret, 'sundial vault v1'),
});

type Several<Of> = readonly [Of, ...Of[]];

const listOf = (keys: SecretKeys): Several<string> => (typeof keys === 'string' ? [keys] : keys);

function mapped<From, To>([first, ...rest]: Several<From>, to: (each: From) => To): Several<To> {
  return [to(first), ...rest.map((each) => to(each))];
}

function named(keys: readonly Key[], id: string): Key {
  const found = keys.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no secret key here has the id ${id}`);
  return found;
}

function parsed(sealed: string): { readonly id: string | undefined; readonly text: string } {
  const [, id, text] = sealedForm.exec(sealed) ?? [];
  if (text === undefined) throw new Error('not a sealed secret');
  return { id, text };
}

function opened(keys: readonly Key[], text: string, context: string) {
  for (const { id, key } of keys) {
    try {
      return { id, clear: decrypt(key, text, context) };
    } catch {
      // Another key may decrypt it.
    }
  }
  return undefined;
}

/* The cipher. */

const encrypt = (key: Buffer, clear: string, context: string): string =>
  sealedBytes(key, Buffer.from(clear), context).toString('base64url');

/** The nonce, the tag, and what is encrypted. */
export function sealedBytes(key: Buffer, clear: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: TAG_BYTES });
  sealing.setAAD(Buffer.from(context));
  const body = Buffer.concat([sealing.update(clear), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), body]);
}

export function openedBytes(key: Buffer, whole: Uint8Array, context: string): Buffer {
  if (whole.length < NONCE_BYTES + TAG_BYTES) throw new Error('not encrypted by this service');
  const opening = createDecipheriv(cipher, key, whole.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  opening.setAAD(Buffer.from(context));
  opening.setAuthTag(whole.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([opening.update(whole.subarray(NONCE_BYTES + TAG_BYTES)), opening.final()]);
}

const decrypt = (key: Buffer, text: string, context: string): string =>
  openedBytes(key, Buffer.from(text, 'base64url'), context).toString('utf8');
