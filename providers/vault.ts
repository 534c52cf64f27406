/** Encrypts the secrets that are stored: AES-256-GCM under a key derived from SECRET_KEY. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface Vault {
  /** The context says what the secret is for; it is not stored, and needed to open it. */
  readonly seal: (clear: string, context: string) => string;
  /** Throws when it was sealed under another key or for another context, or was altered. */
  readonly open: (sealed: string, context: string) => string;
}

const cipher = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Leads every sealed text, so that another way of sealing can follow beside this one. */
const version = 'v1';

export function createVault(secretKey: string): Vault {
  // Derived for this one use: signed links take another key from the same SECRET_KEY.
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
