/** Classifies failures of billing: transient, caused by a customer, or common to everyone. */
import { DomainError } from '../../domain/errors.ts';
import {
  OutcomeUnknownError,
  UnavailableError,
  isConnectionFault,
} from '../../db/connection/faults.ts';

/** Deadlocks, lock time-outs and serialization failures are transient; a retry bills the rest. */
const collisions: ReadonlySet<string> = new Set(['40P01', '40001', '55P03']);
/** Connections, resources, a server shutdown: a later try may succeed. */
const ofTheMachine = /^(08|53|58|57P)/;
/** Values, constraints, program limits, triggers: errors of rows, not of statements. */
const ofTheRows = /^(21|22|23|54|P0|XX)/;
/** The transaction was idle for too long, because rating took too long. */
const RATED_TOO_LONG = '25P03';
const STATEMENT_TOO_LONG = '57014';

export function isCollision(error: unknown): boolean {
  return collisions.has(sqlStateOf(error) ?? '');
}

/** Whether a customer's rows cannot be the cause. */
export function isPassing(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state === RATED_TOO_LONG) return false;
  if (error instanceof UnavailableError || error instanceof OutcomeUnknownError) return true;
  if (state === null) return isConnectionFault(error);
  return collisions.has(state) || ofTheMachine.test(state);
}

/**
 * With which code a customer is held at which this happens when it is billed alone; null where it
 * is not the customer's: it is transient, or the statement fails for everyone.
 */
export function holdCodeOf(error: unknown): string | null {
  if (error instanceof DomainError) return error.code;
  if (isPassing(error)) return null;
  const state = sqlStateOf(error);
  switch (state) {
    case null:
      return 'service.fault';
    case '22003':
      return 'billing.amountTooLarge';
    case STATEMENT_TOO_LONG:
    case RATED_TOO_LONG:
      return 'billing.timedOut';
    default:
      return ofTheRows.test(state) ? `database.${state}` : null;
  }
}

/** Whether the cause can only be a bug. */
export function isBug(error: unknown): boolean {
  return !(error instanceof DomainError) && sqlStateOf(error) === null;
}

/** The SQLSTATE, even if a broken connection wraps it. */
function sqlStateOf(error: unknown): string | null {
  if (error instanceof UnavailableError) return sqlStateOf(error.cause);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  // Network codes begin with E, which no SQLSTATE does.
  const isState = typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code);
  return isState ? code : null;
}
