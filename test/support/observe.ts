/** Records the result of each test file from AVA's events; called by ava.config.js. */
import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { endLeftBehind } from './left-behind.ts';
import { isTogether, TITLE_MARK } from './processes.ts';
import type { FileResult } from './records.ts';

/** The fields that we read of AVA's events (ava/lib/run-status.js, ava/lib/fork.js). */
export interface AvaEvent {
  readonly type: string;
  readonly testFile?: string;
  readonly title?: string;
  readonly err?: AvaError;
  readonly chunk?: Uint8Array;
  /** Of `worker-finished`: AVA has stopped the process, because nothing happened for too long. */
  readonly forcedExit?: boolean;
  readonly nonZeroExitCode?: number;
  readonly signal?: string;
  readonly stats?: { readonly byFile: ReadonlyMap<string, FileStats> };
}

interface AvaError {
  readonly message?: string;
  readonly stack?: string;
  readonly formattedError?: string;
  readonly formattedDetails?: readonly { readonly label: string; readonly formatted: string }[];
}

interface FileStats {
  readonly declaredTests: number;
  readonly passedTests: number;
  readonly failedTests: number;
  readonly failedHooks: number;
  readonly remainingTests: number;
  readonly uncaughtExceptions: number;
  readonly unhandledRejections: number;
  readonly internalErrors: number;
}

const root = join(import.meta.dirname, '../..');

/**
 * Follows a run to its end and writes its results into the folder of records. What a test file has
 * started ends with it.
 */
export async function observe(events: AsyncIterable<AvaEvent>, records: string): Promise<void> {
  const all: AvaEvent[] = [];
  for await (const event of events) {
    all.push(event);
    const { type, testFile } = event;
    const hasEnded = type === 'worker-finished' || type === 'worker-failed';
    if (hasEnded && testFile !== undefined) endLeftBehind(records, relative(root, testFile));
  }
  writeFileSync(join(records, 'results'), JSON.stringify(resultsOf(all)));
}

export function resultsOf(events: readonly AvaEvent[]): FileResult[] {
  const stats = events.findLast(({ type }) => type === 'stats')?.stats?.byFile ?? new Map();
  const byFile = Map.groupBy(events, ({ testFile }) => testFile);
  return Array.from(stats).flatMap(([path, counts]) => {
    const its = byFile.get(path) ?? [];
    const result = resultOf(path, counts, its);
    if (!isTogether(path)) return [result];
    const members = resultsOfMembers(path, its);
    const failed = members.reduce((sum, member) => sum + member.failed, 0);
    // What failed outside a test, such as a hook, is nobody's.
    return endedWell(counts, its) && failed === result.failed ? members : [result];
  });
}

/** The results of the files that shared a process, by the first part of the titles. */
function resultsOfMembers(path: string, events: readonly AvaEvent[]): FileResult[] {
  const tests = events.filter(({ type }) => type === 'test-passed' || type === 'test-failed');
  const byName = Map.groupBy(tests, ({ title = '' }) => title.split(TITLE_MARK)[0] ?? '');
  return Array.from(byName, ([name, its]) => ({
    file: relative(root, join(dirname(path), `${name}.test.ts`)),
    passed: its.filter(({ type }) => type === 'test-passed').length,
    failed: its.filter(({ type }) => type === 'test-failed').length,
    output: its.map(textOf).join(''),
  }));
}

function resultOf(path: string, counts: FileStats, events: readonly AvaEvent[]): FileResult {
  const { failedTests, failedHooks, uncaughtExceptions, unhandledRejections } = counts;
  const failed = failedTests + failedHooks + uncaughtExceptions + unhandledRejections;
  return {
    file: relative(root, path),
    passed: counts.passedTests,
    failed: endedWell(counts, events) ? failed : Math.max(failed, 1),
    output: events.map(textOf).join(''),
  };
}

function endedWell(counts: FileStats, events: readonly AvaEvent[]): boolean {
  return (
    counts.declaredTests > 0 &&
    counts.remainingTests === 0 &&
    counts.internalErrors === 0 &&
    !events.some(({ type, forcedExit }) => type === 'worker-failed' || forcedExit === true)
  );
}

function textOf({ type, title, err, chunk, ...event }: AvaEvent): string {
  if (chunk !== undefined) return Buffer.from(chunk).toString();
  if (err !== undefined) return `${title ?? type}\n${errorText(err)}\n`;
  if (event.forcedExit === true) return 'AVA has stopped the process.\n';
  if (type !== 'worker-failed') return '';
  return `The process ended with ${event.signal ?? event.nonZeroExitCode}.\n`;
}

function errorText({ message = '', stack = '', formattedError, formattedDetails }: AvaError) {
  const details = (formattedDetails ?? []).flatMap(({ label, formatted }) => [label, formatted]);
  return [formattedError ?? message, ...details, stack].join('\n');
}
