/** Limits how many forms of hosted pages are sent in a minute. */
import { attemptKey, createAttempts, sharedKey } from './attempts.ts';
import { networkOf } from './login-limits.ts';
import { type SharedAttempts, waitBeyond } from '../../operations/access/shared-attempts.ts';

/** For a page's token. */
export const TOKEN_POSTS_MAX = 60;
/** For a network and a tenant, whatever the tokens. */
export const NETWORK_POSTS_MAX = 120;

export interface PagePost {
  readonly tenantId: number;
  /** That in the path; empty for a page without one, such as a login. */
  readonly token: string;
  readonly address: string;
}

export interface PostLimits {
  /** Counts the post, or returns how many seconds to wait; 0 if it is within the limits. */
  readonly take: (post: PagePost) => Promise<number>;
}

/**
 * @param clock a monotonic clock in milliseconds
 * @param shared counts the same for all processes; without it this one counts alone
 */
export function createPostLimits(clock: () => number, shared?: SharedAttempts): PostLimits {
  const attempts = createAttempts(clock);
  return {
    async take({ tenantId, token, address }) {
      const ofNetwork = [
        attemptKey('network', tenantId, networkOf(address)),
        NETWORK_POSTS_MAX,
      ] as const;
      const ofToken = [attemptKey('token', tenantId, token), TOKEN_POSTS_MAX] as const;
      const limits = token === '' ? [ofNetwork] : [ofToken, ofNetwork];
      const waits = limits.map(([key, max]) => attempts.waitSeconds(key, max));
      const waitSeconds = Math.max(...waits);
      // A flood costs no statement.
      if (waitSeconds > 0) return waitSeconds;
      for (const [key] of limits) attempts.end(key, true);
      if (shared === undefined) return 0;
      const keys = limits.map(([key]) => sharedKey(key));
      const counted = await shared.begin({ tenantId, keys });
      return Math.max(...counted.map((each, index) => waitBeyond(each, limits[index]?.[1] ?? 0)));
    },
  };
}
