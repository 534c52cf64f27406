/**
 * Limits password attempts per minute. It counts each attempt before the comparison, so
 * simultaneous attempts stay within the limit, and uncounts it if the password was right.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { createAttempts } from './attempts.ts';

export interface LoginAttempt {
  readonly tenantId: number;
  readonly username: string;
  readonly address: string;
}

/** Asynchronous, so that several processes could share the counts. */
export interface LoginLimits {
  /** Counts an attempt in advance, or returns how long to wait. */
  readonly reserve: (attempt: LoginAttempt) => Promise<Reserved>;
}

/** How long to wait, or a counted attempt. */
export type Reserved = { readonly waitSeconds: number } | ReservedTry;

export interface ReservedTry {
  /** Its network has no wrong password at that tenant within the minute, and none in progress. */
  readonly isFirst: boolean;
  /** Must be called with the result of the comparison. */
  readonly end: (isFailure: boolean) => Promise<void>;
}

/** For a user from one network; guesses from other networks do not count here. */
export const USER_FAILURES_MAX = 10;
/** For a user from all networks together. */
export const USER_EVERYWHERE_FAILURES_MAX = 50;
/** For a network: beyond it, users that have failed there wait. */
export const NETWORK_FAILURES_MAX = 50;
/** For a network in total: up to it, a user that has not failed there has a first attempt. */
export const NETWORK_FIRST_TRIES_MAX = 100;

export function createLoginLimits(clock: () => number): LoginLimits {
  const attempts = createAttempts(clock);

  return {
    async reserve({ tenantId, username, address }) {
      const network = networkOf(address);
      const [pair, user, neighbours, everybody] = [
        keyOf(tenantId, username, network),
        keyOf(tenantId, username),
        keyOf('tenant', tenantId, network),
        keyOf(network),
      ];
      const networkMax = attempts.isNew(pair) ? NETWORK_FIRST_TRIES_MAX : NETWORK_FAILURES_MAX;
      const waitSeconds = Math.max(
        attempts.waitSeconds(pair, USER_FAILURES_MAX),
        attempts.waitSeconds(user, USER_EVERYWHERE_FAILURES_MAX),
        attempts.waitSeconds(everybody, networkMax),
      );
      if (waitSeconds > 0) return { waitSeconds };
      const keys = [pair, user, neighbours, everybody];
      const isFirst = attempts.isNew(neighbours);
      keys.forEach(attempts.begin);
      return {
        isFirst,
        end: async (isFailure) => keys.forEach((key) => attempts.end(key, isFailure)),
      };
    },
  };
}

/** A key of fixed size, however long the name is. */
function keyOf(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/**
 * The network of a caller: an IPv4 address, or the first 64 bits of an IPv6 address.
 *
 * @example networkOf('2001:db8::1') // '2001:db8:0:0'
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: Math.max(zeros, 0) }, () => '0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
