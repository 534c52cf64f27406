/** The structured log of the API. */
import pino from 'pino';
import type { Logger } from 'pino';
import { errorSerializers } from '../../operations/context/describe-error.ts';

export type { Logger } from 'pino';

/** One write to the pipe per line would cost a busy API a tenth of its time. */
const BATCH_BYTES = 4_096;
const BATCH_MS = 100;
// As pino counts them.
const WARNING = 40;

/** It writes lines in batches; a warning or worse flushes at once. */
export function createLogger(level: string): Logger {
  const output = pino.destination({ minLength: BATCH_BYTES, periodicFlush: BATCH_MS, sync: true });
  process.once('exit', () => output.flushSync());
  return pino(
    {
      level,
      base: { process: 'api', pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: errorSerializers,
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
