/** What a scenario is: its sizes, and what it measures. */
import type { BenchSystem } from './system.ts';
import type { Table } from './tables.ts';

/** Counts and times by name; each is an option of the command. */
export type Sizes = Readonly<Record<string, number | readonly number[]>>;

export interface Bench {
  /** Prints the progress for people. */
  readonly say: (line: string) => void;
  /** The system, which is started at the first call. */
  readonly system: () => Promise<BenchSystem>;
  /** Run at the end, the newest first. */
  readonly cleanups: Cleanup[];
  /** The only part of the scenario that is measured; all by default. */
  readonly part?: string | undefined;
  /** The folder of another checkout, in which `npm ci` has been run. */
  readonly against?: string | undefined;
}

export type Cleanup = () => unknown;

export interface Scenario<Asked extends Sizes = Sizes> {
  /** What it measures, for the help. */
  readonly about: string;
  readonly parts?: readonly string[];
  readonly sizes: Asked;
  /** The sizes that are smaller where one only wants to see that it works. */
  readonly brief: Sizes & Partial<Asked>;
  /** Further settings of the system. */
  readonly environment?: Readonly<Record<string, string>>;
  measure(bench: Bench, sizes: Asked): Promise<readonly Table[]>;
}

export const scenario = <Asked extends Sizes>(described: Scenario<Asked>): Scenario => described;

/** Measures, and cleans up whatever happens. */
export async function measured(
  scenario: Scenario,
  bench: Bench,
  given: Sizes,
): Promise<readonly Table[]> {
  try {
    return await scenario.measure(bench, { ...scenario.sizes, ...given });
  } finally {
    for (const cleanup of bench.cleanups.splice(0).toReversed()) await cleanup();
  }
}
