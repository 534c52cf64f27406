/**
 * Wraps a gateway with a time limit for each call, and a circuit breaker that stops calls to a
 * gateway that does not answer. Declines are answers and never open the breaker.
 */
import { guardOf, type GuardOptions } from '../guard.ts';
import type { GatewayAdapter } from './adapter.ts';
import { GatewayError } from './gateway.ts';
import type { Gateway } from './gateway.ts';

export const TIME_LIMIT_MS_DEFAULT = 12_000;

export function guarded(adapter: GatewayAdapter, options: GuardOptions): Gateway {
  const call = guardOf(
    {
      isKnown: (error) => error instanceof GatewayError,
      isOutage,
      timedOut: () => new GatewayError('unknown', 'timeout'),
      isOpen: () => new GatewayError('unavailable', 'circuit_open'),
      failed: (cause) => new GatewayError('unknown', 'failed', { cause }),
    },
    options,
  );
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

/** Answers without an outcome, which show that the gateway is up. */
const answers: ReadonlySet<string> = new Set(['processing', 'idempotency_mismatch']);

function isOutage(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return true;
  const { kind, code } = error;
  return (kind === 'unknown' || kind === 'unavailable') && !answers.has(code);
}
