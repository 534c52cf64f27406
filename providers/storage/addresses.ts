/** Signs and verifies the tokens of the addresses under which the API itself takes and gives files. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import {
  ADDRESS_SECONDS,
  StorageError,
  type FileKind,
  type FileName,
  type VerifyToken,
} from './storage.ts';

const KEY_BYTES = 32;

/**
 * `upload.7.2101.1798761600.` and a signature; the third number is the end in seconds of Unix time. The
 * etag of the upload that is replaced comes before the signature.
 */
const form =
  /^(upload|result)\.([1-9]\d{0,15})\.([1-9]\d{0,15})\.([1-9]\d{0,11})(?:\.([a-z\d-]{1,60}))?\.([\w-]{43})$/;

export interface TokenSigner {
  /** @param replaces the etag of the upload that is there */
  readonly sign: (name: FileName, replaces?: string | null) => string;
  readonly verify: VerifyToken;
}

/** @param now real time in milliseconds */
export function tokenSigner(secretKey: string, now: () => number): TokenSigner {
  // Derived for this use only, so that no signature of another use opens a file.
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'sundial files v1', KEY_BYTES));
  const signatureOf = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return {
    sign({ kind, tenantId, batchId }, replaces = null) {
      const until = Math.floor(now() / 1_000) + ADDRESS_SECONDS;
      const text = textOf(kind, tenantId, batchId, until, replaces);
      return `${text}.${signatureOf(text).toString('base64url')}`;
    },
    verify(token, expected) {
      const [, kind, tenantId, batchId, until, replaces = null, signature = ''] =
        form.exec(token) ?? [];
      const text = textOf(kind, tenantId, batchId, until, replaces);
      const given = Buffer.from(signature, 'base64url');
      const own = signatureOf(text);
      if (given.length !== own.length || !timingSafeEqual(given, own)) {
        throw new StorageError('forged');
      }
      const name = {
        kind: kind as FileKind,
        tenantId: Number(tenantId),
        batchId: Number(batchId),
        replaces,
      };
      if (name.kind !== expected.kind || name.tenantId !== expected.tenantId) {
        throw new StorageError('forged');
      }
      if (now() >= Number(until) * 1_000) throw new StorageError('expired');
      return name;
    },
  };
}

const textOf = (...parts: readonly (string | number | null | undefined)[]): string =>
  parts.filter((part) => part !== null).join('.');
