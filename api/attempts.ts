/** Counts wrong passwords in windows of a minute, in this process. */

export interface AttemptLimit {
  /** Seconds to wait before another attempt of this key, or 0. */
  readonly waitSeconds: (key: string) => number;
  readonly countFailure: (key: string) => void;
}

export interface AttemptLimitOptions {
  readonly failuresMax: number;
  /** Milliseconds on a clock that only goes forwards. */
  readonly clock: () => number;
}

const WINDOW_MS = 60_000;
const KEYS_MAX = 10_000;

export function createAttemptLimit({ failuresMax, clock }: AttemptLimitOptions): AttemptLimit {
  const windows = new Map<string, { failures: number; readonly endsAt: number }>();
  const windowOf = (key: string) => {
    const window = windows.get(key);
    return window !== undefined && window.endsAt > clock() ? window : undefined;
  };
  return {
    waitSeconds(key) {
      const window = windowOf(key);
      if (window === undefined || window.failures < failuresMax) return 0;
      return Math.ceil((window.endsAt - clock()) / 1000);
    },
    countFailure(key) {
      const window = windowOf(key);
      if (window !== undefined) {
        window.failures += 1;
        return;
      }
      windows.delete(key);
      const oldest = windows.size >= KEYS_MAX ? windows.keys().next().value : undefined;
      if (oldest !== undefined) windows.delete(oldest);
      windows.set(key, { failures: 1, endsAt: clock() + WINDOW_MS });
    },
  };
}
