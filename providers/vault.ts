/** Encrypts stored secrets with AES-256-GCM, by a key derived from SECRET_KEY. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface Vault {
  /** The context says what the secret is for; it is not stored, and decryption needs it. */
  readonly seal: (clear: string, context: string) => string;
  /** Throws if the secret was encrypted with another key or for another context, or was altered. */
  readonly open: (sealed: string, context: string) => string;
}

const cipher = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The first part of every encrypted text; another version can be added beside it. */
const version = 'v1';

export function createVault(secretKey: string): Vault {
  // Derived for this use only: signed links use another key derived from the same SECRET_KEY.
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'sundial vault v1', KEY_BYTES));
  return {
    seal(clear, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const sealing = createCipheriv(cipher, key, nonce, { authTagLength: TAG_BYTES });
      sealing.setAAD(Buffer.from(context));
      const body = Buffer.concat([sealing.update(clear, 'utf8'), sealing.final()]);
      const whole = Buffer.concat([nonce, sealing.getAuthTag(), body]);
      return `${version}.${whole.toString('base64url')}`;
    },
    open(sealed, context) {
      const [lead, text = ''] = sealed.split('.');
      const whole = Buffer.from(text, 'base64url');
      if (lead !== version || whole.length < NONCE_BYTES + TAG_BYTES) {
        throw new Error('not a sealed secret');
      }
      const opening = createDecipheriv(cipher, key, whole.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      opening.setAAD(Buffer.from(context));
      opening.setAuthTag(whole.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = whole.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([opening.update(body), opening.final()]).toString('utf8');
    },
  };
}
