/** Which files run again, and what counts: from results to a verdict. */
import test from 'ava';
import type { FileResult } from './records.ts';
import { filesToRunAgain, verdict } from './unsteady.ts';

const result = (name: string, passed: number, failed: number): FileResult => ({
  file: `test/${name}.test.ts`,
  passed,
  failed,
  output: '',
});

const namesOf = (files: readonly FileResult[]): string[] =>
  files.map(({ file }) => file.replace(/^test\/(.*)\.test\.ts$/, '$1'));

function judged(first: readonly FileResult[], second: readonly FileResult[]) {
  const { passed, failed, unsteady } = verdict(first, second);
  return { passed, failed, unsteady: namesOf(unsteady) };
}

test('each file that failed runs again, but none that saw a fault, a leak or locks out of order', (t) => {
  const first = [result('a', 3, 0), result('b', 2, 1), result('c', 0, 2), result('d', 0, 1)];
  const findings = new Set(['test/a.test.ts', 'test/c.test.ts']);
  t.deepEqual(namesOf(filesToRunAgain(first, findings)), ['b', 'd']);
});

test('a finding forbids a second run of its file, and of the process that it shares with others', (t) => {
  const [grouping, percent, all] = ['grouping', 'percent', 'together'].map((name) =>
    result(`operations/billing/${name}`, 3, 1),
  );
  const again = (first: readonly (FileResult | undefined)[], finding: FileResult | undefined) =>
    filesToRunAgain(
      first.filter((each) => each !== undefined),
      new Set([finding?.file ?? '']),
    );
  t.deepEqual(again([grouping, percent], percent), [grouping]);
  t.deepEqual(again([all], percent), []);
  t.deepEqual(again([grouping, percent], all), []);
});

test('where more than ten files failed none runs again', (t) => {
  const failed = Array.from({ length: 11 }, (_, i) => result(String(i), 0, 1));
  t.is(filesToRunAgain(failed.slice(1), new Set()).length, 10);
  t.deepEqual(filesToRunAgain(failed, new Set()), []);
});

test('a file that passes the second time is unsteady, and its tests count once, as passed', (t) => {
  const first = [result('a', 10, 0), result('b', 4, 2)];
  t.deepEqual(judged(first, [result('b', 6, 0)]), { passed: 16, failed: 0, unsteady: ['b'] });
});

test('a file that broke before its tests counts as in its second run', (t) => {
  const first = [result('a', 10, 0), result('b', 0, 1)];
  t.deepEqual(judged(first, [result('b', 6, 0)]), { passed: 16, failed: 0, unsteady: ['b'] });
});

test('a file that fails again counts as in its first run', (t) => {
  const first = [result('a', 10, 0), result('b', 4, 2)];
  t.deepEqual(judged(first, [result('b', 5, 1)]), { passed: 14, failed: 2, unsteady: [] });
});

test('a file that failed and did not run again counts as failed', (t) => {
  t.deepEqual(judged([result('a', 4, 2)], []), { passed: 4, failed: 2, unsteady: [] });
});

test('a second run in which fewer tests passed, or none, takes nothing back', (t) => {
  const first = [result('a', 4, 1), result('b', 0, 1)];
  const second = [result('a', 3, 0), result('b', 0, 0)];
  t.deepEqual(judged(first, second), { passed: 4, failed: 2, unsteady: [] });
});

test('three unsteady files pass, and four fail with what failed in each of them', (t) => {
  const first = ['a', 'b', 'c', 'd'].map((name) => result(name, 1, 2));
  const second = ['a', 'b', 'c', 'd'].map((name) => result(name, 3, 0));
  t.deepEqual(judged(first.slice(1), second.slice(1)), {
    passed: 9,
    failed: 0,
    unsteady: ['b', 'c', 'd'],
  });
  t.deepEqual(judged(first, second), { passed: 4, failed: 8, unsteady: ['a', 'b', 'c', 'd'] });
});

test('an unsteady file of test/domain fails the run, and another beside it does not', (t) => {
  const first = [result('domain/money/money', 1, 2), result('api/http/log', 1, 2)];
  const second = first.map((each) => ({ ...each, passed: 3, failed: 0 }));
  t.deepEqual(judged(first, second), {
    passed: 4,
    failed: 2,
    unsteady: ['domain/money/money', 'api/http/log'],
  });
});
