/** What may be said of a change when the database breaks or has no room: nothing, or too little. */

/** It could not be done now and nothing was changed: a later try may succeed. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** The connection broke after COMMIT had been sent: the change was made, or it was not. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** The change was made, and what came after it failed. */
export class FailedAfterCommitError extends Error {
  override readonly name = 'FailedAfterCommitError';
}

/** Of a session that ends: broken connections, shutdowns, time-outs of sessions and transactions. */
const endsSession = /^(08\w{3}|57P\w{2}|25P0[34])$/;
/** Further states in which the server itself was in trouble while it committed. */
const inTrouble = /^(53|58|XX)\w{3}$|^40003$/;
const ofNetwork =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/;
/** What the driver and its pool say without a code. */
const ofDriver =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end/;
const neverSent = /is not queryable/;
const sqlState = /^[0-9A-Z]{5}$/;

interface Fault {
  readonly code?: unknown;
  readonly errors?: unknown;
}

/** The connection broke or was never made; it says nothing of the statement itself. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errors } = error as Fault;
  if (typeof code === 'string') return endsSession.test(code) || ofNetwork.test(code);
  // Several addresses of a host were tried, and none answered.
  if (Array.isArray(errors)) return errors.some(isConnectionFault);
  return ofDriver.test(error.message);
}

/** Whether the driver knew the connection as broken already, so that the statement never left. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && neverSent.test(error.message);
}

/** Whether the server itself says that it did not commit. */
export function refusesCommit(error: unknown): boolean {
  const { code } = (error ?? {}) as Fault;
  if (typeof code !== 'string' || !sqlState.test(code)) return false;
  return !endsSession.test(code) && !inTrouble.test(code);
}
