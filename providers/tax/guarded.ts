/**
 * Wraps a tax provider with a time limit for each call, a circuit breaker, and limits of how many
 * calls are under way at once. Refusals are answers and never open the breaker.
 */
import { bulkhead } from 'cockatiel';
import { guardOf, type GuardOptions } from '../guard.ts';
import { TaxProviderError, type TaxProvider } from './tax-provider.ts';

export const TIME_LIMIT_MS = 5_000;
/** Of the calls that somebody waits for, and of those that record, each. */
export const CALLS_AT_ONCE_MAX = 8;
/** Beyond them callers wait; each is a customer of a batch, or a call of the interface. */
const WAITING_MAX = 10_000;

/** The operations of a TaxProvider; `signal` is aborted when the caller stops waiting. */
export type TaxAdapter = {
  readonly [Operation in keyof TaxProvider]: (
    asked: Parameters<TaxProvider[Operation]>[0],
    signal: AbortSignal,
  ) => ReturnType<TaxProvider[Operation]>;
};

export function guarded(adapter: TaxAdapter, options: GuardOptions): TaxProvider {
  const call = guardOf(
    {
      isKnown: (error) => error instanceof TaxProviderError,
      isOutage: (error) => !(error instanceof TaxProviderError) || error.kind === 'silent',
      timedOut: () => new TaxProviderError('silent', 'timeout'),
      isOpen: () => new TaxProviderError('silent', 'circuit_open'),
      failed: (cause) => new TaxProviderError('silent', 'failed', { cause }),
    },
    options,
  );
  const asking = bulkhead(CALLS_AT_ONCE_MAX, WAITING_MAX);
  const recording = bulkhead(CALLS_AT_ONCE_MAX, WAITING_MAX);
  return {
    calculate: (document) =>
      asking.execute(() => call((signal) => adapter.calculate(document, signal))),
    resolve: (address) => asking.execute(() => call((signal) => adapter.resolve(address, signal))),
    record: (document) =>
      recording.execute(() => call((signal) => adapter.record(document, signal))),
    void: (code) => recording.execute(() => call((signal) => adapter.void(code, signal))),
  };
}
