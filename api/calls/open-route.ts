/**
 * A route outside of /rest that follows another protocol, and so declares its own body, credentials
 * and answer.
 */
import type { TenantInfo } from '../../operations/context/context.ts';

export interface OpenRoute {
  readonly method: 'POST';
  /** The path from the root of a tenant's host. */
  readonly path: string;
  /** The bytes as they came. */
  readonly body: { readonly kind: 'raw'; readonly bytesMax: number };
  /** A signature of the body, which the route verifies; no user has a part in it. */
  readonly credentials: 'signature';
  readonly answer: 'text/plain';
  readonly respond: (call: OpenCall) => Promise<OpenAnswer>;
}

export interface OpenCall {
  readonly tenant: TenantInfo;
  readonly header: (name: string) => string | undefined;
  /** Reads the body when called; throws if it is larger than the route accepts. */
  readonly readBody: () => Promise<Uint8Array>;
}

export interface OpenAnswer {
  readonly status: number;
  readonly text: string;
}
