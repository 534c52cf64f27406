/** Encrypts the secrets that are stored: AES-256-GCM under a key derived from SECRET_KEY. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface Vault {
  /** The context says what the secret is for; it is not stored, and needed to open it. */
  readonly seal: (clear: string, context: string) => string;
  /** Throws when it was sealed under another key or for another context, or was altered. */
  readonly open: (sealed: string, context: string) => string;
}

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Leads every sealed text, so that another way of sealing can follow beside this one. */
const version = 'v1';

export function createVault(secretKey: string): Vault {
  // Derived for this one use: signed links take another key from the same SECRET_KEY.
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'sundial vault v1', keyBytes));
  return {
    seal(clear, context) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
      sealing.setAAD(Buffer.from(context));
      const body = Buffer.concat([sealing.update(clear, 'utf8'), sealing.final()]);
      const whole = Buffer.concat([nonce, sealing.getAuthTag(), body]);
      return `${version}.${whole.toString('base64url')}`;
    },
    open(sealed, context) {
      const [lead, text = ''] = sealed.split('.');
      const whole = Buffer.from(text, 'base64url');
      if (lead !== version || whole.length < nonceBytes + tagBytes) {
        throw new Error('not a sealed secret');
      }
      const opening = createDecipheriv(cipher, key, whole.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      opening.setAAD(Buffer.from(context));
      opening.setAuthTag(whole.subarray(nonceBytes, nonceBytes + tagBytes));
      const body = whole.subarray(nonceBytes + tagBytes);
      return Buffer.concat([opening.update(body), opening.final()]).toString('utf8');
    },
  };
}
