/**
 * A time limit for each call of an outside service, and a circuit breaker that stops calls to a
 * service that does not answer.
 */
import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
  type IBackoff,
} from 'cockatiel';

/** This many failures in a row open the breaker; after a pause one call tests the service. */
export const FAILURES_MAX = 5;
export const OPEN_MS = 10_000;

export interface GuardOptions {
  readonly timeLimitMs: number;
  /** The breaker's clock, in milliseconds. */
  readonly now: () => number;
  /** Calls back when a call's time is over; returns a function that cancels this. */
  readonly startLimit?: (ms: number, onOver: () => void) => () => void;
}

/** The errors of a service, as its callers know them. */
export interface GuardedErrors {
  /** Whether an error is one of these already. */
  readonly isKnown: (error: unknown) => boolean;
  /** Whether it shows that the service is down. */
  readonly isOutage: (error: unknown) => boolean;
  readonly timedOut: () => Error;
  /** The call was not sent, because the breaker is open. */
  readonly isOpen: () => Error;
  /** Any other failure. */
  readonly failed: (cause: unknown) => Error;
}

export type Guard = <Result>(ask: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;

/**
 * The guard of one service, whose signal is aborted when the time is over.
 *
 * @example const call = guardOf(errors, { timeLimitMs: 5_000, now: Date.now });
 *   await call((signal) => fetch(url, { signal }))
 */
export function guardOf(errors: GuardedErrors, options: GuardOptions): Guard {
  const { timeLimitMs, startLimit = startTimer } = options;
  const breaker = breakerOf(errors, options.now);

  async function within<Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const stopping = new AbortController();
    const over = Promise.withResolvers<never>();
    const cancel = startLimit(timeLimitMs, () => {
      over.reject(errors.timedOut());
      stopping.abort();
    });
    try {
      return await Promise.race([over.promise, ask(stopping.signal)]);
    } catch (error) {
      throw errors.isKnown(error) ? error : errors.failed(error);
    } finally {
      cancel();
    }
  }

  return async (ask) => {
    // While one call tests the service, the others do not wait for it.
    if (breaker.state === CircuitState.HalfOpen) throw errors.isOpen();
    try {
      return await breaker.execute(() => within(ask));
    } catch (error) {
      throw errors.isKnown(error) ? error : errors.isOpen();
    }
  };
}

function breakerOf({ isOutage }: GuardedErrors, now: () => number): CircuitBreakerPolicy {
  return circuitBreaker(handleWhen(isOutage), {
    breaker: new ConsecutiveBreaker(FAILURES_MAX),
    halfOpenAfter: { next: () => pauseOn(now) },
  });
}

// The library measures the pause by the machine's clock; ours uses the service's clock.
function pauseOn(now: () => number): IBackoff<unknown> {
  const until = now() + OPEN_MS;
  return {
    get duration() {
      return now() < until ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    },
    next: () => pauseOn(now),
  };
}

function startTimer(ms: number, onOver: () => void): () => void {
  const timer = setTimeout(onOver, ms);
  return () => clearTimeout(timer);
}
