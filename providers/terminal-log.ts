/** Formats the log for people on a terminal, instead of JSON. */
import pretty, { type PrettyStream } from 'pino-pretty';

/** @param destination standard output by default */
export function terminalLog(destination?: NodeJS.WritableStream): PrettyStream {
  return pretty({
    colorize: destination === undefined,
    ignore: 'pid,process',
    singleLine: true,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ...(destination ? { destination } : {}),
  });
}

/** Undefined if standard output is not a terminal: log collectors read JSON. */
export function terminalLogIfAny(): PrettyStream | undefined {
  return process.stdout.isTTY ? terminalLog() : undefined;
}
