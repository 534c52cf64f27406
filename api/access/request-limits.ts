/** Limits how many requests a user sends in a minute, for all API processes together. */
import { createTimedCache } from '../../operations/context/timed-cache.ts';
import { type SharedAttempts, waitBeyond } from '../../operations/access/shared-attempts.ts';
import { attemptKey, sharedKey } from './attempts.ts';

export interface UserRequest {
  readonly tenantId: number;
  readonly userId: number;
  readonly max: number;
}

export interface RequestLimits {
  /** Counts the request, or returns how many seconds to wait; 0 if it is within the limit. */
  readonly take: (request: UserRequest) => Promise<number>;
}

const USERS_MAX = 10_000;
const SECOND_MS = 1_000;

/**
 * A minute begins with its first request. What this process was told lasts as long as that minute,
 * so that a flood costs no statement.
 *
 * @param clock a monotonic clock in milliseconds
 */
export function createRequestLimits(
  clock: () => number,
  shared: Pick<SharedAttempts, 'begin'>,
): RequestLimits {
  const fullUntil = createTimedCache<string, number>({ clock, entriesMax: USERS_MAX });
  return {
    async take({ tenantId, userId, max }) {
      const key = attemptKey(tenantId, userId, max);
      const until = fullUntil.get(key);
      if (until !== undefined) return Math.max(1, Math.ceil((until - clock()) / SECOND_MS));
      const [counted] = await shared.begin({
        tenantId,
        keys: [sharedKey(attemptKey(tenantId, userId))],
      });
      const waitSeconds = counted === undefined ? 0 : waitBeyond(counted, max);
      const forMs = waitSeconds * SECOND_MS;
      if (waitSeconds > 0) fullUntil.set(key, clock() + forMs, { forMs });
      return waitSeconds;
    },
  };
}
