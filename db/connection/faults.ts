/** The errors of a database that fails or is full, by what is known about the change. */
import {
  codeOf,
  endsSession,
  isNetworkCode,
  isTransientState,
  saysNotCommitted,
  sqlStateOf,
} from './sql-states.ts';

/** Nothing was changed; a later try may succeed. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** Refused because too much is in progress. Nothing is at fault, so logs have no stack of it. */
export class BusyError extends UnavailableError {}

/** The connection broke after COMMIT was sent: the change may or may not have been made. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** The change was committed, and a later step failed. */
export class FailedAfterCommitError extends Error {
  override readonly name = 'FailedAfterCommitError';
}

/** Messages of the driver and its pool, which have no code. */
const ofDriver =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end/;
const neverSent = /is not queryable/;

/** The connection broke or was never made; the statement itself is not at fault. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code !== null) return endsSession(code) || isNetworkCode(code);
  // No address of the host answered.
  if (error instanceof AggregateError) return error.errors.some(isConnectionFault);
  return ofDriver.test(error.message);
}

/** The code says which limit, or which end of the server, it was. */
export function unavailable(cause: unknown): UnavailableError {
  const code = codeOf(cause);
  const why = code === null ? '' : `: ${code}`;
  return new UnavailableError(`the connection to the database broke${why}`, { cause });
}

/** Whether the driver knew that the connection was broken, and so never sent the statement. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && neverSent.test(error.message);
}

/** Whether the server confirms that it did not commit. */
export function refusesCommit(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== null && saysNotCommitted(state);
}

/** Nothing that the call or its rows could be the cause of: the same may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof UnavailableError || error instanceof OutcomeUnknownError) return true;
  const state = sqlStateOf(error);
  return state === null ? isConnectionFault(error) : isTransientState(state);
}
