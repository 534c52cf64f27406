/** The lock on DATA_DIR and on the cache: it works between processes, and is never stale. */

import test from 'ava';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { tryLock, waitForLock } from '../../../providers/embedded/lock.ts';
import { testFolder } from '../../support/folder.ts';

const lockModule = join(import.meta.dirname, '../../../providers/embedded/lock.ts');

/** Another process that holds the lock until it is killed. */
async function holder(file: string): Promise<ChildProcess> {
  const script = `import { tryLock } from ${JSON.stringify(lockModule)};
    if (tryLock(${JSON.stringify(file)})) console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script]);
  await once(child.stdout, 'data');
  return child;
}

test('a lock of another process is refused, and a killed process holds no lock', async (t) => {
  const file = join(testFolder(t), 'a.lock');
  const child = await holder(file);
  t.is(tryLock(file), undefined);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = tryLock(file);
  t.truthy(lock);
  lock?.release();
});

test('a waiter gets the lock when its owner dies', async (t) => {
  const file = join(testFolder(t), 'a.lock');
  const child = await holder(file);
  const lock = await waitForLock(file, {
    signal: new AbortController().signal,
    onWait: () => child.kill('SIGKILL'),
  });
  t.true(child.killed);
  lock.release();
});

test('a waiter is told again and again that it waits', async (t) => {
  const file = join(testFolder(t), 'a.lock');
  const lock = tryLock(file);
  let told = 0;
  const waiting = waitForLock(file, {
    signal: new AbortController().signal,
    againMs: 0,
    onWait: () => {
      told += 1;
      if (told === 3) lock?.release();
    },
  });
  (await waiting).release();
  t.is(told, 3);
});

test('waiting ends when it is aborted', async (t) => {
  const file = join(testFolder(t), 'a.lock');
  const child = await holder(file);
  t.teardown(() => child.kill('SIGKILL'));
  const stopping = new AbortController();
  const waiting = waitForLock(file, { signal: stopping.signal, onWait: () => stopping.abort() });
  await t.throwsAsync(waiting, { name: 'AbortError' });
});
