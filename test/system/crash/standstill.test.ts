/** A process with a blocked event loop is ended; one that waits is not. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';

for (const [title, how, expected] of [
  ['a process with a blocked event loop is killed', 'stands', [null, 'SIGKILL']],
  ['a process that waits is not killed', 'waits', [0, null]],
] as const) {
  test(title, async (t) => {
    const child = fork(join(import.meta.dirname, 'standing.ts'), [how]);
    t.deepEqual(await once(child, 'exit'), [...expected]);
  });
}
