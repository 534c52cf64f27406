/** The main thread of the API comes before the threads that hash and collect garbage. */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { getPriority } from 'node:os';
import test from 'ava';
import { LOWER_NICE, lowerOtherThreads } from '../../../api/http/priorities.ts';

const HELPERS = /V8Worker|libuv-worker/;

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('helper threads have a lower priority than the main thread', async (t) => {
  const before = getPriority();
  await lowerOtherThreads();
  t.is(getPriority(), before);
  const threads = (await readdir('/proc/self/task')).map(Number);
  const helpers = threads.filter((id) =>
    HELPERS.test(readFileSync(`/proc/self/task/${id}/comm`, 'utf8')),
  );
  t.true(helpers.length > 1, 'V8 and Node have helpers');
  for (const id of helpers) t.is(getPriority(id), LOWER_NICE);
});
