/** The structured log of the API: one line a request, and what an error may say there. */
import pino from 'pino';
import type { Logger } from 'pino';

export type { Logger } from 'pino';

/** A write to the pipe for each line would cost a busy API a tenth of its time. */
const BATCH_BYTES = 4_096;
const BATCH_MS = 100;
// As pino counts them.
const WARNING = 40;

/** Its lines leave in batches; a warning or worse at once, and all that came before it. */
export function createLogger(level: string): Logger {
  const output = pino.destination({ minLength: BATCH_BYTES, periodicFlush: BATCH_MS, sync: true });
  process.once('exit', () => output.flushSync());
  return pino(
    {
      level,
      base: { process: 'api', pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: describeError },
      hooks: {
        logMethod(line, write, severity) {
          write.apply(this, line);
          if (severity >= WARNING) output.flushSync();
        },
      },
    },
    output,
  );
}

interface DatabaseFault {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly table?: unknown;
}

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
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
  };
}
