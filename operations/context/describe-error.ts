/** What an error may say in a log. */

interface DatabaseFault {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly table?: unknown;
}

/**
 * How the logs of all our processes say it. By either name: the logger itself, which calls an error
 * err, would quote all of it.
 */
export const errorSerializers = { err: describeError, error: describeError };

/**
 * An error without the data that it happened to: a database driver's message and detail repeat
 * statements and values, and those hold names, references and password hashes.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table } = error as DatabaseFault;
  const isFromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  return {
    type: error.name,
    message: isFromDatabase ? undefined : error.message,
    code,
    constraint,
    table,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
  };
}
