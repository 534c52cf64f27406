/** On a terminal a log line is a sentence for people; elsewhere it is JSON. */

import { Writable } from 'node:stream';
import test from 'ava';
import { createLogger } from '../../activities/log.ts';
import { createLogger as createApiLogger } from '../../api/http/log.ts';
import { terminalLog, terminalLogIfAny } from '../../providers/terminal-log.ts';

for (const [name, create] of [
  ['a worker', createLogger],
  ['the API', createApiLogger],
] as const) {
  test(`${name} writes readable lines to a terminal`, async (t) => {
    const { promise: line, resolve } = Promise.withResolvers<string>();
    const terminal = new Writable({
      write(chunk: Buffer, _encoding, done) {
        resolve(chunk.toString());
        done();
      },
    });
    const log = create('info', terminalLog(terminal));
    log.info({ tenant: 'demo', invoices: 3, milliseconds: 12.5 }, 'billing batch');
    t.regex(
      await line,
      /^\[\d\d:\d\d:\d\d\] INFO: billing batch \{"tenant":"demo","invoices":3,"milliseconds":12\.5\}\n$/,
    );
  });
}

test('where standard output is no terminal there is no such log', (t) => {
  t.false(process.stdout.isTTY === true);
  t.is(terminalLogIfAny(), undefined);
});
