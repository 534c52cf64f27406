/**
 * Wraps a gateway with a time limit for each call, and a circuit breaker that stops calls to a
 * gateway that does not answer. Declines are answers and never open the breaker.
 */
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { CircuitBreakerPolicy, IBackoff } from 'cockatiel';
import type { GatewayAdapter } from './adapter.ts';
import { GatewayError } from './gateway.ts';
import type { Gateway } from './gateway.ts';

export const TIME_LIMIT_MS_DEFAULT = 12_000;
/** This many failures in a row open the breaker; after a pause one call tests the gateway. */
export const FAILURES_MAX = 5;
export const OPEN_MS = 10_000;

export interface GuardOptions {
  readonly timeLimitMs: number;
  /** The breaker's clock, in milliseconds. */
  readonly now: () => number;
  /** Calls back when a call's time is over; returns a function that cancels this. */
  readonly startLimit?: (ms: number, onOver: () => void) => () => void;
}

export function guarded(adapter: GatewayAdapter, options: GuardOptions): Gateway {
  const { timeLimitMs, startLimit = startTimer } = options;
  const breaker = breakerOf(options.now);

  async function call<Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    // While one call tests the gateway, the others do not wait for it.
    if (breaker.state === CircuitState.HalfOpen) throw isOpen();
    try {
      return await breaker.execute(() => within(ask));
    } catch (error) {
      throw error instanceof GatewayError ? error : isOpen();
    }
  }

  async function within<Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const stopping = new AbortController();
    const over = Promise.withResolvers<never>();
    const cancel = startLimit(timeLimitMs, () => {
      over.reject(new GatewayError('unknown', 'timeout'));
      stopping.abort();
    });
    try {
      return await Promise.race([over.promise, ask(stopping.signal)]);
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      throw new GatewayError('unknown', 'failed', { cause: error });
    } finally {
      cancel();
    }
  }

  return {
    name: adapter.name,
    store: (details, key) => call((signal) => adapter.store(details, key, signal)),
    validate: (token, key) => call((signal) => adapter.validate(token, key, signal)),
    charge: (asked) => call((signal) => adapter.charge(asked, signal)),
    refund: (asked) => call((signal) => adapter.refund(asked, signal)),
    void: (asked) => call((signal) => adapter.void(asked, signal)),
    status: (operation, asked) => call((signal) => adapter.status(operation, asked, signal)),
    withdrawals: (charge) => call((signal) => adapter.withdrawals(charge, signal)),
  };
}

function isOpen(): GatewayError {
  return new GatewayError('unavailable', 'circuit_open');
}

function breakerOf(now: () => number): CircuitBreakerPolicy {
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

/** Answers without an outcome, which show that the gateway is up. */
const answers: ReadonlySet<string> = new Set(['processing', 'idempotency_mismatch']);

function isOutage(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return true;
  const { kind, code } = error;
  return (kind === 'unknown' || kind === 'unavailable') && !answers.has(code);
}

function startTimer(ms: number, onOver: () => void): () => void {
  const timer = setTimeout(onOver, ms);
  return () => clearTimeout(timer);
}
