/** The meaning of PostgreSQL's error codes (SQLSTATE), and of the network's. */

export const sqlStates = {
  numericOutOfRange: '22003',
  uniqueViolation: '23505',
  idleInTransaction: '25P03',
  /** This includes a statement that reached its time limit. */
  queryCanceled: '57014',
} as const;

/** Deadlocks, serialisation failures and lock time-outs: a retry finds another state. */
const collisions: ReadonlySet<string> = new Set(['40P01', '40001', '55P03']);
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
export function codeOf(error: unknown): string | null {
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
export const isTransientState = (state: string): boolean =>
  collisions.has(state) || ofTheMachine.test(state);

export const endsSession = (state: string): boolean => endOfSession.test(state);

/** Whether a server that answers COMMIT with this has certainly not committed. */
export const saysNotCommitted = (state: string): boolean =>
  !endOfSession.test(state) && !inTrouble.test(state);

export const isNetworkCode = (code: string): boolean => ofNetwork.test(code);
