/** Classifies failures of billing: transient, caused by a customer, or common to everyone. */
import { DomainError } from '../../domain/errors.ts';
import {
  UnavailableError,
  isTransient,
  isCollision as isCollisionState,
  sqlStateOf,
  sqlStates,
} from '../../db/connection/faults.ts';

/** Values, constraints, program limits, triggers: errors of rows, not of statements. */
const ofTheRows = /^(21|22|23|54|P0|XX)/;

export function isCollision(error: unknown): boolean {
  return isCollisionState(stateOf(error) ?? '');
}

/** Whether a customer's rows cannot be the cause. */
export function isTransientForCustomer(error: unknown): boolean {
  // The transaction was idle for too long, because rating took too long.
  return stateOf(error) !== sqlStates.idleInTransaction && isTransient(error);
}

/**
 * The code with which a customer is held if this error occurs when it is billed alone. Null if the
 * customer is not the cause: the error is transient, or the statement fails for everyone.
 */
export function holdCodeOf(error: unknown): string | null {
  if (error instanceof DomainError) return error.code;
  if (isTransientForCustomer(error)) return null;
  const state = stateOf(error);
  switch (state) {
    case null:
      return 'service.fault';
    case sqlStates.numericOutOfRange:
      return 'billing.amountTooLarge';
    case sqlStates.queryCanceled:
    case sqlStates.idleInTransaction:
      return 'billing.timedOut';
    default:
      return ofTheRows.test(state) ? `database.${state}` : null;
  }
}

/** Whether the cause can only be a bug. */
export function isBug(error: unknown): boolean {
  return !(error instanceof DomainError) && stateOf(error) === null;
}

/** The SQLSTATE, even if a broken connection wraps it. */
function stateOf(error: unknown): string | null {
  return error instanceof UnavailableError ? stateOf(error.cause) : sqlStateOf(error);
}
