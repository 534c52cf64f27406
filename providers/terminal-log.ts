/** How a log looks on a terminal: a line for people in place of JSON. */
import pretty from 'pino-pretty';
import type { PrettyStream } from 'pino-pretty';

/** @param destination standard output if left out */
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

/** Undefined where standard output is no terminal: a collector of logs reads JSON. */
export function terminalLogIfAny(): PrettyStream | undefined {
  return process.stdout.isTTY ? terminalLog() : undefined;
}
