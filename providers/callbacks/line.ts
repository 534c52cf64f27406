/** The port to the endpoints of callbacks: a line to one of them. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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

/* Decides which network addresses a callback may go to. */

/** The addresses of a host name. */
type ResolveName = (name: string) => Promise<readonly string[]>;

const LOOPBACK = '127.0.0.1';

/** The only block of IPv6 whose addresses are assigned on the public internet (RFC 4291, 2.4). */
const ASSIGNED_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet. Loopback, private, link-local, shared and
 * reserved ranges do not. Of the IPv6 addresses that contain an IPv4 address, only IPv4-mapped ones
 * can be public, if that IPv4 address is.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv6' && !parsed.match(ASSIGNED_IPV6)) return false;
  return parsed.range() === 'unicast';
}

/** Whether the host of a URL is not public by its spelling alone, without any look-up. */
export function isPrivateHost(url: string): boolean {
  const host = hostOf(new URL(url));
  return isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
}

/** Whether a server that listens on a host is reached from its own machine alone. */
export function isLoopbackHost(host: string): boolean {
  return isLocalName(host) || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback');
}

/** The host of a URL without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The addresses of a host: its own address if it is one, else those of its name. */
export async function addressesOf(host: string, resolve: ResolveName): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  return isLocalName(host) ? [LOOPBACK] : resolve(host);
}

function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}
