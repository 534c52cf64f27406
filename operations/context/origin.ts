/** What began the work that is under way: the request whose id its answer and the logs have. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Origin {
  readonly requestId: string;
  /** Runs work as a part of the request's trace; absent without traces. */
  readonly within?: (<Result>(work: () => Result) => Result) | undefined;
}

const origins = new AsyncLocalStorage<Origin>();

export const withOrigin = <Result>(origin: Origin, work: () => Result): Result =>
  origins.run(origin, work);

/** Undefined for work that no request of this thread began. */
export const currentOrigin = (): Origin | undefined => origins.getStore();

/** Runs background work as nobody's: it would otherwise count as the request's that came first. */
export const ofNobody = (): (<Result>(work: () => Result) => Result) =>
  AsyncLocalStorage.snapshot();
