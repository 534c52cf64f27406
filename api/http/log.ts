/** The structured log of the API. */
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { errorSerializers } from '../../operations/context/describe-error.ts';
import { terminalLogIfAny } from '../../providers/terminal-log.ts';

export type { Logger } from 'pino';

/** One write to the pipe per line would cost a busy API a tenth of its time. */
const BATCH_BYTES = 4_096;
const BATCH_MS = 100;
// As pino counts them.
const WARNING = 40;

/**
 * On a terminal it writes each line at once, for people. Elsewhere it writes JSON in batches; a
 * warning or worse flushes at once.
 */
export function createLogger(
  level: string,
  terminal: DestinationStream | undefined = terminalLogIfAny(),
): Logger {
  const options: LoggerOptions = {
    level,
    base: { process: 'api', pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: errorSerializers,
  };
  if (terminal) return pino(options, terminal);
  const output = pino.destination({ minLength: BATCH_BYTES, periodicFlush: BATCH_MS, sync: true });
  process.once('exit', () => output.flushSync());
  options.hooks = {
    logMethod(line, write, severity) {
      write.apply(this, line);
      if (severity >= WARNING) output.flushSync();
    },
  };
  return pino(options, output);
}
