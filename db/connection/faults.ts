/** The errors of a database that fails or is full, by what is known about the change. */

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

/** The server refuses the statement because an earlier one of its transaction has failed. */
export function isConsequence(error: unknown): boolean {
  return sqlStateOf(error) === sqlStates.inFailedTransaction;
}

/** The meaning of PostgreSQL's error codes (SQLSTATE), and of the network's. */
export const sqlStates = {
  numericOutOfRange: '22003',
  uniqueViolation: '23505',
  inFailedTransaction: '25P02',
  idleInTransaction: '25P03',
  lockNotAvailable: '55P03',
  /** This includes a statement that reached its time limit. */
  queryCanceled: '57014',
} as const;

/** Deadlocks, serialisation failures and lock time-outs: a retry finds another state. */
const collisions: ReadonlySet<string> = new Set(['40P01', '40001', sqlStates.lockNotAvailable]);
/** Broken connections, resources, failures of the machine, a server that is being stopped. */
const ofTheMachine = /^(08|53|58|57P)/;
/** Broken connections, shutdowns, time-outs of sessions and transactions. */
const endOfSession = /^(08\w{3}|57P\w{2}|25P0[34])$/;
/** The server itself was in trouble while it committed, or could not say how that ended. */
const inTrouble = /^(53|58|XX)\w{3}$|^40003$/;
// The network's own codes begin with E, which no state does.
const sqlState = /^[0-9A-DF-Z][0-9A-Z]{4}$/;
const ofNetwork =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/;

/** The state that the server answered with; null for anything else. */
export function sqlStateOf(error: unknown): string | null {
  const code = codeOf(error);
  return code !== null && sqlState.test(code) ? code : null;
}

/** The code of an error of the server, of the network, or of Node. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}

/** The name of the unique constraint that a row would break; null for any other error. */
export function violatedKeyOf(error: unknown): string | null {
  if (sqlStateOf(error) !== sqlStates.uniqueViolation) return null;
  const { constraint } = error as { readonly constraint?: unknown };
  return typeof constraint === 'string' ? constraint : null;
}

export const isCollision = (state: string): boolean => collisions.has(state);

/** Neither the statement nor its rows are the cause: the same may succeed later. */
const isTransientState = (state: string): boolean =>
  collisions.has(state) || ofTheMachine.test(state);

const endsSession = (state: string): boolean => endOfSession.test(state);

/** Whether a server that answers COMMIT with this has certainly not committed. */
const saysNotCommitted = (state: string): boolean =>
  !endOfSession.test(state) && !inTrouble.test(state);

const isNetworkCode = (code: string): boolean => ofNetwork.test(code);
