/** Files that share a process: each runs once, and has results of its own. */
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import test from 'ava';
import { resultsOf } from './observe.ts';
import { filesTogether, longFiles, processOf, testFiles } from './processes.ts';

const root = join(import.meta.dirname, '../..');
const all = globSync('test/**/*.test.ts', { cwd: root });
const shared = new Set(all.map(processOf).filter((file) => file.endsWith('/together.test.ts')));

test('every test file runs in one process: its own, or that of one folder', (t) => {
  const [everything, ...left] = testFiles([]);
  t.is(everything, 'test/**/*.test.ts');
  const ofLongRun = left.filter((pattern) =>
    /^!test\/system\/(crash|faults|topology|upgrades)\//.test(pattern),
  );
  t.false(ofLongRun.includes('!test/system/crash/answer.test.ts'), 'a small case stays');
  t.true(ofLongRun.length > 10);
  const members = [...shared].flatMap((file) => filesTogether(file.replace(/\/[^/]*$/, '')));
  t.deepEqual(
    left.filter((pattern) => !ofLongRun.includes(pattern)).toSorted(),
    members.map((file) => `!${file}`).toSorted(),
  );
  t.is(new Set(members).size, members.length);
  const together = all.filter((file) => file.endsWith('/together.test.ts'));
  t.deepEqual([...shared].toSorted(), together.toSorted());
});

test('a file that is named to the run has a process of its own, also beside a folder', (t) => {
  const shares = (chosen: readonly string[]): boolean =>
    testFiles(chosen).includes('!test/operations/billing/percent.test.ts');
  for (const named of [
    'test/operations/billing/percent.test.ts',
    'test/operations/billing/percent.test.ts:45',
    'test/operations/**/p*.test.ts',
  ]) {
    t.false(shares(['test/domain', named]), named);
    t.true(testFiles([named]).includes('!test/operations/billing/slice.test.ts'));
  }
  t.true(shares(['test/operations/billing']));
  t.true(shares(['test/operations/billing/together.test.ts', '--match=*percent*']));
});

test('the crash tests run when they are named, and in the long run', (t) => {
  const leavesOut = (chosen: readonly string[]) =>
    testFiles(chosen).includes('!test/system/crash/renewal.test.ts');
  t.true(leavesOut([]));
  t.true(leavesOut(['test/system/replay']));
  t.false(leavesOut(['test/system/crash/renewal.test.ts']));
  t.false(leavesOut(['test/system/crash']));
  const long = all.filter((file) => longFiles.some((pattern) => matchesGlob(file, pattern)));
  t.true(long.includes('test/system/crash/renewal.test.ts'));
  t.true(long.includes('test/properties/lives.test.ts'));
});

test('a file that does more in the long run is run by it', (t) => {
  const asks = /import \{[^}]*\b(isLong|runs)\b[^}]*\} from '[./]*support\/random\.ts'/;
  const asking = all.filter((file) => asks.test(readFileSync(join(root, file), 'utf8')));
  t.true(asking.length > 30);
  const left = asking.filter((file) => !longFiles.some((pattern) => matchesGlob(file, pattern)));
  t.deepEqual(left, []);
});

const path = join(root, 'test/operations/billing/together.test.ts');
const its = { testFile: path };
const counts = {
  declaredTests: 3,
  passedTests: 2,
  failedTests: 1,
  failedHooks: 0,
  remainingTests: 0,
  uncaughtExceptions: 0,
  unhandledRejections: 0,
  internalErrors: 0,
};
const tests = [
  { ...its, type: 'test-passed', title: 'percent › one' },
  { ...its, type: 'test-failed', title: 'percent › two', err: { message: 'no' } },
  { ...its, type: 'test-passed', title: 'slice › one' },
];
const ended = (byCounts: Partial<typeof counts>) =>
  resultsOf([
    ...tests,
    { type: 'stats', stats: { byFile: new Map([[path, { ...counts, ...byCounts }]]) } },
  ]).map(({ file, passed, failed }) => `${file}: ${passed} and ${failed}`);

test('files that share a process have results of their own, by the titles of their tests', (t) => {
  t.deepEqual(ended({}), [
    'test/operations/billing/percent.test.ts: 1 and 1',
    'test/operations/billing/slice.test.ts: 1 and 0',
  ]);
});

test('what fails outside a test, or does not end, is a result of the process', (t) => {
  const whole = (failed: number) => `test/operations/billing/together.test.ts: 2 and ${failed}`;
  t.deepEqual(ended({ failedHooks: 1 }), [whole(2)]);
  t.deepEqual(ended({ uncaughtExceptions: 1 }), [whole(2)]);
  t.deepEqual(ended({ remainingTests: 1 }), [whole(1)]);
});
