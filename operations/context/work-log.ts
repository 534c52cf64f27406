/** The log lines of operations: one for each piece of work, with ids, counts and time. */

export interface WorkLine {
  readonly work:
    | 'billing batch'
    | 'payment'
    | 'hold'
    | 'retry'
    | 'delivery'
    | 'restart'
    | 'unneeded'
    | 'callbacks'
    | 'mail'
    | 'tax records'
    | 'import'
    | 'build';
  /** The tenant's label; absent of what concerns all. */
  readonly tenant?: string;
  readonly milliseconds?: number;
  /** Ids, counts, amounts and codes; never a caller's text. */
  readonly [field: string]: string | number | readonly string[] | null | undefined;
}

/** Called after the commit; never fails. */
export type TellWork = (line: WorkLine) => void;

/** The two levels that it needs of a logger. */
interface Levels {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
}

/** Warnings: a person may have to act, or has done what helps nobody. */
const warnings: ReadonlySet<WorkLine['work']> = new Set(['hold', 'retry', 'restart', 'unneeded']);

/** @param count is told of each line, too */
export function workLog(log: Levels, count?: TellWork): TellWork {
  return (line) => {
    const { work, ...fields } = line;
    count?.(line);
    log[warnings.has(work) ? 'warn' : 'info'](fields, work);
  };
}

/** The milliseconds since an instant of `performance.now()`. */
export function since(began: number): number {
  return Math.round((performance.now() - began) * 10) / 10;
}
