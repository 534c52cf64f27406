/** What a failure of billing means: it passes by itself, it is a customer's, or it is everyone's. */
import { DomainError } from '../../domain/errors.ts';
import {
  OutcomeUnknownError,
  UnavailableError,
  isConnectionFault,
} from '../../db/connection/faults.ts';

/** Deadlock, lock time-out and serialisation failures pass; a retry bills what is still due. */
const collisions: ReadonlySet<string> = new Set(['40P01', '40001', '55P03']);
/** Connections, resources, somebody ends the server: a later try may find it well. */
const ofTheMachine = /^(08|53|58|57P)/;
/** Values, constraints, limits of the program, what a trigger raises: of rows, not of statements. */
const ofTheRows = /^(21|22|23|54|P0|XX)/;
/** A transaction in which nothing was said for too long: it was rated meanwhile. */
const RATED_TOO_LONG = '25P03';
const STATEMENT_TOO_LONG = '57014';

export function isCollision(error: unknown): boolean {
  return collisions.has(sqlStateOf(error) ?? '');
}

/** Nothing that a customer's rows could be the cause of. */
export function isPassing(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state === RATED_TOO_LONG) return false;
  if (error instanceof UnavailableError || error instanceof OutcomeUnknownError) return true;
  if (state === null) return isConnectionFault(error);
  return collisions.has(state) || ofTheMachine.test(state);
}

/**
 * With which code a customer is held at which this happens when it is billed alone; null where it
 * says nothing of the customer: it passes, or it is a statement that fails for everyone.
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

/** Whether only a bug can be the cause. */
export function isBug(error: unknown): boolean {
  return !(error instanceof DomainError) && sqlStateOf(error) === null;
}

/** Also of what a broken connection is the cause of. */
function sqlStateOf(error: unknown): string | null {
  if (error instanceof UnavailableError) return sqlStateOf(error.cause);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  // The network's own codes begin with E, which no state does.
  const isState = typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code);
  return isState ? code : null;
}
