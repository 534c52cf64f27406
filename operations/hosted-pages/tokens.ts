/** The secrets in the addresses of hosted pages, of which only hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export interface PageToken {
  /** Base64url, 43 characters; for the address, and for nothing that is kept. */
  readonly token: string;
  readonly hash: Buffer;
}

/** A link to a page of the tenant's host. */
export interface MadeLink {
  /** Whoever has it has the page. */
  readonly path: string;
  readonly validUntil: Date;
}

export function newPageToken(): PageToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: pageTokenHash(token) };
}

/** What a token is found by. It has 256 random bits, so a plain hash cannot be guessed back. */
export function pageTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
