/** Describes errors for the log without data. */
import { BusyError } from '../../db/connection/faults.ts';

interface DatabaseFault {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly table?: unknown;
}

/**
 * The error serializers of all our logs. They cover both names, because the logger would write an
 * error named err in full.
 */
export const errorSerializers = { err: describeError, error: describeError };

/**
 * Describes an error without data: a database driver's message and detail repeat statements and
 * values, which contain names, references and password hashes.
 */
export function describeError(error: unknown): Described {
  // A reason in words: what the engine answered, or its SDK says.
  if (typeof error === 'string') return { type: 'string', message: error };
  const { code, constraint, table } = (error ?? {}) as DatabaseFault;
  if (!(error instanceof Error)) return { type: typeof error, code };
  const isFromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  return {
    type: error.name,
    message: isFromDatabase ? undefined : error.message,
    code,
    constraint,
    table,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
    // One for each address of a server that does not answer; the error itself has no message then.
    errors: error instanceof AggregateError ? error.errors.map(describeError) : undefined,
    // Load is no fault of a place in the code, and a flood of calls would fill the disk with stacks.
    stack: error instanceof BusyError ? undefined : placesOf(error),
  };
}

const placesOf = ({ stack }: Error): string[] | undefined =>
  stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());

/** An error without the data that caused it. */
export type Described = Record<string, unknown>;

/** Restores the error of another thread or process for the log. */
export function restoreError({ type, message, code, cause, stack }: Described): Error {
  const error = Object.assign(new Error(String(message ?? type)), { code });
  error.name = String(type);
  error.stack = `${error.name}: ${error.message}\n${Array.isArray(stack) ? stack.join('\n') : ''}`;
  if (typeof cause === 'object' && cause !== null) error.cause = restoreError(cause as Described);
  return error;
}
