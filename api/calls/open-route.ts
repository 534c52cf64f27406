/**
 * A route outside of /rest, which somebody else's protocol decides: what body it takes, how its
 * caller shows who it is, and what it answers with are properties of its own.
 */
import type { TenantInfo } from '../../operations/context/context.ts';

export interface OpenRoute {
  readonly method: 'POST';
  /** From the root of a tenant's host. */
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
  /** Read when it is asked for; throws where it is larger than the route takes. */
  readonly readBody: () => Promise<Uint8Array>;
}

export interface OpenAnswer {
  readonly status: number;
  readonly text: string;
}
