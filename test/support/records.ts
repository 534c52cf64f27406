/**
 * What the processes of one run of tests leave for `npm test`, in one folder: the results of AVA,
 * the time that each file took, and what forbids to run a file again.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names the folder; without it nothing is recorded. */
export const RECORDS_VARIABLE = 'SUNDIAL_TEST_RECORDS';
/** The test file of the running test, where files share a process. */
export const fileOfTest = new AsyncLocalStorage<string>();
/** Names the test file to its process and to the processes that it starts. */
export const FILE_VARIABLE = 'SUNDIAL_TEST_FILE';
/** The seed of every random test of the run that gives none itself. */
export const SEED_VARIABLE = 'SUNDIAL_TEST_SEED';
/** Set in the long run: crash tests, and random tests with many cases. */
export const LONG_VARIABLE = 'SUNDIAL_TEST_LONG';
/** Restricts the run to these files, whatever AVA's arguments select: a JSON list of patterns. */
export const ONLY_VARIABLE = 'SUNDIAL_TEST_ONLY';

/** The result of one test file. */
export interface FileResult {
  /** Its path from the root of the repository. */
  readonly file: string;
  readonly passed: number;
  /** Tests and hooks that failed, and errors outside tests; at least 1 if the file did not end well. */
  readonly failed: number;
  /** What AVA says about the failures, and what the process printed. */
  readonly output: string;
}

export interface Spent {
  readonly file: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export type Finding = 'audit fault' | 'leak' | 'locks out of order';

/**
 * Call it where a fault of the books, a number of a card, or a wrong order of locks has shown. A
 * file that fails after it is not run again: a fault that shows only sometimes is a fault.
 */
export function noteFinding(finding: Finding): void {
  const { [RECORDS_VARIABLE]: records, [FILE_VARIABLE]: ofProcess } = process.env;
  const file = fileOfTest.getStore() ?? ofProcess;
  if (records === undefined || file === undefined) return;
  appendFileSync(join(records, 'findings'), `${JSON.stringify({ file, finding })}\n`);
}

/** Paths of the files whose tests have noted a finding. */
export function filesWithFindings(records: string): ReadonlySet<string> {
  return new Set(linesOf<{ file: string }>(records, 'findings').map(({ file }) => file));
}

export const timesIn = (records: string): Spent[] => linesOf<Spent>(records, 'spent');

/** None if AVA has not come to its end. */
export function resultsIn(records: string): readonly FileResult[] {
  const file = join(records, 'results');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

function linesOf<Line>(records: string, name: string): Line[] {
  const file = join(records, name);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line): Line => JSON.parse(line));
}
