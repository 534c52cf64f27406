/** The port to the endpoints of callbacks: a line to one of them. */
import type { ResolveName } from './address.ts';

export interface CallbackPost {
  /** The value of the query parameter `type`. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * `refused`: the endpoint did not take this post, and may take others. `unreachable`: there is no
 * connection to the endpoint at all.
 */
export type PostOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused' | 'unreachable'; readonly code: string };

export interface CallbackLine {
  /** Never throws. */
  readonly post: (post: CallbackPost) => Promise<PostOutcome>;
  readonly close: () => void;
}

export interface LineOptions {
  /** Also posts to addresses that are not public. */
  readonly allowPrivate: boolean;
  /** The most posts at once. */
  readonly connectionsMax: number;
  readonly timeLimitMs?: number;
  readonly resolve?: ResolveName;
}

/** Opens the way to an endpoint. */
export type OpenLine = (url: string, options: LineOptions) => Promise<CallbackLine>;
