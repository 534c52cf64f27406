/** The structured log of a worker; the SDK writes to it too. */
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Logger as TemporalLogger } from '@temporalio/worker';
import { errorSerializers } from '../operations/context/describe-error.ts';
import { terminalLogIfAny } from '../providers/terminal-log.ts';

export type { Logger } from 'pino';

/** On a terminal it writes lines for people, elsewhere JSON. */
export function createLogger(
  level: string,
  destination: DestinationStream | undefined = terminalLogIfAny(),
): Logger {
  return pino(
    {
      level,
      base: { process: 'worker', pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: errorSerializers,
    },
    destination,
  );
}

/** The SDK says so, as a warning, of each worker that runs activities alone: all but one do. */
const expected = /^No (workflows|Nexus services) registered/;

/** Adapts our log for the SDK. */
export function temporalLogger(log: Logger): TemporalLogger {
  const at =
    (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, meta = {}) => {
      log[expected.test(message) ? 'debug' : level](meta, message);
    };
  const levels = {
    TRACE: 'trace',
    DEBUG: 'debug',
    INFO: 'info',
    WARN: 'warn',
    ERROR: 'error',
  } as const;
  return {
    log: (level, message, meta) => at(levels[level])(message, meta),
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}
