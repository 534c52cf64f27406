/**
 * Limits password attempts per minute. It counts each attempt before the comparison, so
 * simultaneous attempts stay within the limit, and uncounts it if the password was right.
 */
import assert from 'node:assert';
import { isIPv6 } from 'node:net';
import { attemptKey, createAttempts, sharedKey } from './attempts.ts';
import {
  isAlone,
  waitOf,
  type CountedAttempts,
  type SharedAttempts,
} from '../../operations/access/shared-attempts.ts';

export interface LoginAttempt {
  readonly tenantId: number;
  readonly username: string;
  readonly address: string;
}

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

/**
 * @param clock a monotonic clock in milliseconds
 * @param shared counts the same for all processes; without it this one counts alone
 */
export function createLoginLimits(clock: () => number, shared?: SharedAttempts): LoginLimits {
  const attempts = createAttempts(clock);

  return {
    async reserve(attempt) {
      const { tenantId } = attempt;
      const keys = keysOf(attempt);
      const { pair, neighbours } = keys;
      const waitSeconds = Math.max(
        ...limitsOf(keys, attempts.isNew(pair)).map(([key, max]) => attempts.waitSeconds(key, max)),
      );
      // A flood costs no statement.
      if (waitSeconds > 0) return { waitSeconds };
      const all = Object.values(keys);
      const isFirst = attempts.isNew(neighbours);
      all.forEach(attempts.begin);
      const endHere = (isFailure: boolean): void =>
        all.forEach((key) => attempts.end(key, isFailure));
      if (shared === undefined) return { isFirst, end: async (isFailure) => endHere(isFailure) };
      const counted = { tenantId, keys: all.map(sharedKey) };
      const end = async (isFailure: boolean): Promise<void> => {
        endHere(isFailure);
        await shared.end(counted, isFailure);
      };
      const everywhere = await begunEverywhere(keys, () => shared.begin(counted)).catch(
        (error: unknown) => {
          endHere(false);
          throw error;
        },
      );
      if (everywhere.waitSeconds === 0) return { isFirst: isFirst && everywhere.isFirst, end };
      await end(false);
      return { waitSeconds: everywhere.waitSeconds };
    },
  };
}

type Keys = ReturnType<typeof keysOf>;

function keysOf({ tenantId, username, address }: LoginAttempt) {
  const network = networkOf(address);
  return {
    pair: attemptKey(tenantId, username, network),
    user: attemptKey(tenantId, username),
    neighbours: attemptKey('tenant', tenantId, network),
    everybody: attemptKey(network),
  };
}

function limitsOf(
  { pair, user, everybody }: Keys,
  isNewPair: boolean,
): readonly (readonly [key: string, failuresMax: number])[] {
  return [
    [pair, USER_FAILURES_MAX],
    [user, USER_EVERYWHERE_FAILURES_MAX],
    [everybody, isNewPair ? NETWORK_FIRST_TRIES_MAX : NETWORK_FAILURES_MAX],
  ];
}

async function begunEverywhere(
  keys: Keys,
  begin: () => Promise<readonly CountedAttempts[]>,
): Promise<{ readonly isFirst: boolean; readonly waitSeconds: number }> {
  const all = Object.values(keys);
  const counts = new Map((await begin()).map((each, index) => [all[index] ?? '', each]));
  const of = (key: string): CountedAttempts => counts.get(key) ?? assert.fail('a key is counted');
  const limits = limitsOf(keys, isAlone(of(keys.pair)));
  const waitSeconds = Math.max(...limits.map(([key, max]) => waitOf(of(key), max)));
  return { isFirst: isAlone(of(keys.neighbours)), waitSeconds };
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
