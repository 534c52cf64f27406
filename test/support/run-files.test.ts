/** A run of real files with AVA: which of them run again, what is printed and what counts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { processStartedAt } from '../../providers/embedded/process.ts';
import { ONLY_VARIABLE } from './records.ts';
import { runFiles } from './run-files.ts';
import { until } from './until.ts';

const FIXTURES = 'test/support/fixtures';

/** Runs those fixtures that the pattern names. */
async function run(t: ExecutionContext, pattern: string, chosen: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'sundial-fixture-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  let printed = '';
  const { passed, failed, times } = await runFiles({
    chosen,
    environment: {
      FIXTURE_FOLDER: folder,
      [ONLY_VARIABLE]: JSON.stringify([`${FIXTURES}/${pattern}.ts`]),
    },
    print: (text) => void (printed += text),
  });
  return { counts: { passed, failed }, printed, times, folder };
}

test('a file that fails once runs again and is named with both outputs, and each test counts once', async (t) => {
  const { counts, printed, times } = await run(t, 'fails-once');
  t.deepEqual(counts, { passed: 2, failed: 0 });
  const [, unsteady = ''] = printed.split(`\nunsteady: ${FIXTURES}/fails-once.ts\n`);
  const [failedWith = '', passedWith = ''] = unsteady.split('\n-- and passed with:\n');
  // What the file printed itself comes before or after what AVA says of its tests.
  for (const words of [/failed with:/, /^the first time$/m, /fails the first time\nnot yet/]) {
    t.regex(failedWith, words);
  }
  for (const words of [/2 tests passed/, /^the second time$/m]) t.regex(passedWith, words);
  t.deepEqual(
    times.map(({ file, seconds, cpuSeconds }) => [file, seconds > 0, cpuSeconds > 0]),
    [[`${FIXTURES}/fails-once.ts`, true, true]],
  );
});

test('files that are named to the run do not run again with one that failed', async (t) => {
  const named = ['once', 'always'].map((often) => `${FIXTURES}/fails-${often}.ts`);
  const { folder } = await run(t, 'fails-*', named);
  // Once with the others, and once alone.
  t.is(readFileSync(join(folder, 'met'), 'utf8').trim().split('\n').length, 2);
});

test('a file that saw a fault of the books does not run again', async (t) => {
  const { counts, printed } = await run(t, 'fails-with-a-fault');
  t.deepEqual(counts, { passed: 0, failed: 1 });
  t.notRegex(printed, /once more|unsteady/);
});

test('a property that failed meets the same input again, and fails again', async (t) => {
  const { counts, printed, folder } = await run(t, 'fails-always');
  t.deepEqual(counts, { passed: 0, failed: 1 });
  t.regex(printed, new RegExp(`once more: ${FIXTURES}/fails-always.ts`));
  t.notRegex(printed, /unsteady/);
  const [first, second, ...others] = readFileSync(join(folder, 'met'), 'utf8').trim().split('\n');
  t.is(first, second);
  t.deepEqual(others, []);
});

test('what a file has started ends with it, however it ends', async (t) => {
  const { counts, folder } = await run(t, 'leaves-a-process');
  t.deepEqual(counts, { passed: 0, failed: 1 });
  const pid = Number(readFileSync(join(folder, 'started'), 'utf8'));
  await until('it has ended', () => Promise.resolve(processStartedAt(pid) === undefined));
});

test('where AVA finds no file the run fails', async (t) => {
  t.deepEqual((await run(t, 'nothing')).counts, { passed: 0, failed: 1 });
});
