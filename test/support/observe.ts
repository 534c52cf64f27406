/** Records the result of each test file from AVA's events; called by ava.config.js. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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

/** Follows a run to its end and writes its results into the folder of records. */
export async function observe(events: AsyncIterable<AvaEvent>, records: string): Promise<void> {
  const all: AvaEvent[] = [];
  for await (const event of events) all.push(event);
  writeFileSync(join(records, 'results'), JSON.stringify(resultsOf(all)));
}

export function resultsOf(events: readonly AvaEvent[]): FileResult[] {
  const stats = events.findLast(({ type }) => type === 'stats')?.stats?.byFile ?? new Map();
  const byFile = Map.groupBy(events, ({ testFile }) => testFile);
  return Array.from(stats, ([path, counts]) => resultOf(path, counts, byFile.get(path) ?? []));
}

function resultOf(path: string, counts: FileStats, events: readonly AvaEvent[]): FileResult {
  const { failedTests, failedHooks, uncaughtExceptions, unhandledRejections } = counts;
  const failed = failedTests + failedHooks + uncaughtExceptions + unhandledRejections;
  const endedWell =
    counts.declaredTests > 0 &&
    counts.remainingTests === 0 &&
    counts.internalErrors === 0 &&
    !events.some(({ type, forcedExit }) => type === 'worker-failed' || forcedExit === true);
  return {
    file: relative(root, path),
    passed: counts.passedTests,
    failed: endedWell ? failed : Math.max(failed, 1),
    output: events.map(textOf).join(''),
  };
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
