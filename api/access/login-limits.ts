/**
 * How many passwords may be tried in a minute: each try is counted before it is compared, so that
 * any number at once are no more, and given back when it was right.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { createAttempts } from './attempts.ts';

export interface LoginAttempt {
  readonly tenantId: number;
  readonly username: string;
  readonly address: string;
}

/** Asynchronous, so that several processes may one day count together. */
export interface LoginLimits {
  /** Counts a try ahead, or says how long to wait. */
  readonly reserve: (attempt: LoginAttempt) => Promise<Reserved>;
}

/** How long to wait, or a try. */
export type Reserved = { readonly waitSeconds: number } | ReservedTry;

export interface ReservedTry {
  /** Its network has had no wrong password at that tenant within the minute, and no try under way. */
  readonly isFirst: boolean;
  /** Called when it is known whether the password was wrong. */
  readonly end: (isFailure: boolean) => Promise<void>;
}

/** Of a user from one network; somebody else's guesses from elsewhere do not count here. */
export const USER_FAILURES_MAX = 10;
/** Of a user from everywhere. */
export const USER_EVERYWHERE_FAILURES_MAX = 50;
/** Of a network: beyond it, whoever has failed there waits. */
export const NETWORK_FAILURES_MAX = 50;
/** Of a network in all: until then a user who has not failed there has a first try. */
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

/** Of one size, however long a name is. */
function keyOf(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/**
 * What one caller has: an IPv4 address, or the first 64 bits of an IPv6 address.
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
