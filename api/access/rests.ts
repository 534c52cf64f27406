/**
 * While other tenants call, a tenant rests after a heavy call for as long as the call took. So its
 * heavy calls use half of a core at most.
 */

/** Other tenants are active for this long after the last of their calls. */
export const ACTIVE_MS = 1_000;
export const REST_MS_MAX = 2_000;

export interface Rests {
  readonly noteCall: (tenantId: number) => void;
  /** The rest after a heavy call that took so long; undefined if the tenant is alone. */
  readonly after: (tenantId: number, tookMs: number) => Promise<void> | undefined;
}

export interface RestsOptions {
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

interface Called {
  readonly tenantId: number;
  readonly ms: number;
}

const never: Called = { tenantId: 0, ms: -Infinity };

export function createRests({ clock, sleep }: RestsOptions): Rests {
  let newest = never;
  /** The newest call of any tenant but that of `newest`. */
  let newestOfOthers = never;
  return {
    noteCall(tenantId) {
      if (tenantId !== newest.tenantId) newestOfOthers = newest;
      newest = { tenantId, ms: clock() };
    },
    after(tenantId, tookMs) {
      const others = newest.tenantId === tenantId ? newestOfOthers : newest;
      if (tookMs <= 0 || clock() - others.ms > ACTIVE_MS) return undefined;
      return sleep(Math.min(tookMs, REST_MS_MAX));
    },
  };
}
