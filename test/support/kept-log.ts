/** A log whose lines a test can read. */
import { Writable } from 'node:stream';
import pino from 'pino';
import type { Logger } from '../../api/http/log.ts';

export interface KeptLog {
  readonly log: Logger;
  /** Each a JSON object, as far as it was written. */
  readonly lines: readonly string[];
}

export function keptLog(): KeptLog {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { log: pino({ level: 'trace' }, destination), lines };
}
