/** Decides which files of a run of tests run again, and what counts then. */
import { processOf } from './processes.ts';
import type { FileResult } from './records.ts';

/** More unsteady files than this fail the run. */
const UNSTEADY_FILES_MAX = 3;
/** If more files failed, something is broken for all of them, and none runs again. */
const AGAIN_FILES_MAX = 10;
/** These tests depend on nothing but their input, so a failure by chance is a fault. */
const NEVER_UNSTEADY = 'test/domain/';

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly unsteady: readonly FileResult[];
}

/**
 * The files that failed, in their order.
 *
 * @param findings files, and processes of files, that saw a fault of the books, a leak, or locks out
 *   of order: never again
 */
export function filesToRunAgain(
  first: readonly FileResult[],
  findings: ReadonlySet<string>,
): readonly FileResult[] {
  const failed = first.filter((each) => each.failed > 0);
  if (failed.length > AGAIN_FILES_MAX) return [];
  const isOf = (file: string, finding: string): boolean =>
    file === finding || file === processOf(finding) || processOf(file) === finding;
  return failed.filter(({ file }) => ![...findings].some((each) => isOf(file, each)));
}

/** A file that failed is unsteady if no fewer of its tests passed the second time, and none failed. */
const passedThen = (first: FileResult, second: FileResult | undefined): boolean =>
  second !== undefined && second.failed === 0 && second.passed > 0 && second.passed >= first.passed;

/**
 * Counts each test once: as in the second run if the file is unsteady and that is tolerated,
 * otherwise as in the first.
 */
export function verdict(first: readonly FileResult[], second: readonly FileResult[]): Verdict {
  const then = new Map(second.map((result) => [result.file, result]));
  const unsteady = first.filter((each) => each.failed > 0 && passedThen(each, then.get(each.file)));
  const tolerated = new Set(
    unsteady.length > UNSTEADY_FILES_MAX
      ? []
      : unsteady.map(({ file }) => file).filter((file) => !file.startsWith(NEVER_UNSTEADY)),
  );
  const counted = first.map((each) => (tolerated.has(each.file) ? then.get(each.file) : each));
  const sum = (key: 'passed' | 'failed') =>
    counted.reduce((total, each) => total + (each?.[key] ?? 0), 0);
  return { passed: sum('passed'), failed: sum('failed'), unsteady };
}
