/** A process that stands still is ended; one that waits is not. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';

for (const [how, expected] of [
  ['stands', [null, 'SIGKILL']],
  ['waits', [0, null]],
] as const) {
  test(`a process that ${how}`, async (t) => {
    const child = fork(join(import.meta.dirname, 'standing.ts'), [how]);
    t.deepEqual(await once(child, 'exit'), [...expected]);
  });
}
