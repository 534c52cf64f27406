/** The errors of a database that fails or is full, by what is known about the change. */

/** Nothing was changed; a later try may succeed. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** The connection broke after COMMIT was sent: the change may or may not have been made. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** The change was committed, and a later step failed. */
export class FailedAfterCommitError extends Error {
  override readonly name = 'FailedAfterCommitError';
}

/** SQLSTATEs that end a session: broken connections, shutdowns, time-outs. */
const endsSession = /^(08\w{3}|57P\w{2}|25P0[34])$/;
/** Further SQLSTATEs of a server that failed during a commit. */
const inTrouble = /^(53|58|XX)\w{3}$|^40003$/;
const ofNetwork =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/;
/** Messages of the driver and its pool, which have no code. */
const ofDriver =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end/;
const neverSent = /is not queryable/;
const sqlState = /^[0-9A-Z]{5}$/;

interface Fault {
  readonly code?: unknown;
  readonly errors?: unknown;
}

/** The connection broke or was never made; the statement itself is not at fault. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errors } = error as Fault;
  if (typeof code === 'string') return endsSession.test(code) || ofNetwork.test(code);
  // None of the host's addresses answered.
  if (Array.isArray(errors)) return errors.some(isConnectionFault);
  return ofDriver.test(error.message);
}

/** Whether the driver knew that the connection was broken, and so never sent the statement. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && neverSent.test(error.message);
}

/** Whether the server confirms that it did not commit. */
export function refusesCommit(error: unknown): boolean {
  const { code } = (error ?? {}) as Fault;
  if (typeof code !== 'string' || !sqlState.test(code)) return false;
  return !endsSession.test(code) && !inTrouble.test(code);
}
