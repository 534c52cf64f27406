/**
 * Wraps a tax provider with a time limit for each call, circuit breakers, and limits of how many
 * calls are under way at once. Asking and recording have their own of each: a call that somebody
 * waits for is not kept back by one that records. Refusals are answers and never open a breaker.
 */
import { bulkhead, BulkheadRejectedError, TaskCancelledError } from 'cockatiel';
import { guardOf, type GuardedErrors, type GuardOptions } from '../guard.ts';
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
  const [ask, tell] = [guardOf(errors, options), guardOf(errors, options)];
  const [asking, recording] = [inTurn(), inTurn()];
  return {
    calculate: (document, giveUp) =>
      asking(() => ask((signal) => adapter.calculate(document, signal)), giveUp),
    resolve: (address, giveUp) =>
      asking(() => ask((signal) => adapter.resolve(address, signal)), giveUp),
    record: (document) => recording(() => tell((signal) => adapter.record(document, signal))),
    void: (record) => recording(() => tell((signal) => adapter.void(record, signal))),
  };
}

const errors: GuardedErrors = {
  isKnown: (error) => error instanceof TaxProviderError,
  isOutage: (error) => !(error instanceof TaxProviderError) || error.kind === 'silent',
  timedOut: () => new TaxProviderError('silent', 'timeout'),
  isOpen: () => new TaxProviderError('silent', 'circuit_open'),
  failed: (cause) => new TaxProviderError('silent', 'failed', { cause }),
};

type InTurn = <Result>(ask: () => Promise<Result>, giveUp?: AbortSignal) => Promise<Result>;

function inTurn(): InTurn {
  const turns = bulkhead(CALLS_AT_ONCE_MAX, WAITING_MAX);
  return async (ask, giveUp) => {
    let hasBegun = false;
    const over = Promise.withResolvers<never>();
    const leave = (): void => {
      if (!hasBegun) over.reject(new TaskCancelledError());
    };
    giveUp?.addEventListener('abort', leave, { once: true });
    const asked = turns.execute(() => {
      hasBegun = true;
      return ask();
    }, giveUp);
    try {
      // The queue itself would tell only when the turn has come.
      return await Promise.race([asked, over.promise]);
    } catch (error) {
      if (error instanceof TaskCancelledError) throw new TaxProviderError('silent', 'not_asked');
      if (error instanceof BulkheadRejectedError) throw new TaxProviderError('silent', 'crowded');
      throw error;
    } finally {
      giveUp?.removeEventListener('abort', leave);
    }
  };
}
