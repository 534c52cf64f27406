/** What all benchmarks share: their options, a separate system, and how their figures are printed. */
import { startBenchSystem, type BenchSystem } from './system.ts';

export interface BenchOptions {
  readonly orders: number;
  /** Each benchmark has its own default. */
  readonly customers?: number | undefined;
  readonly connections: number;
  readonly minutes: number;
  /** Usage records of one order line. */
  readonly records: number;
  /** The part of a benchmark that is measured; all by default. */
  readonly part?: string | undefined;
  /** The folder of another checkout, in which `npm ci` has been run. */
  readonly against?: string | undefined;
  readonly json: boolean;
}

/** Measures and prints the figures. */
export type Bench = (options: BenchOptions) => Promise<void>;

export interface Asked extends BenchOptions {
  /** Prints the progress for people. */
  readonly say: (line: string) => void;
}

export interface Measurement<Figures> {
  readonly measure: (asked: Asked) => Promise<Figures>;
  readonly report: (figures: Figures) => string;
}

export function benchOf<Figures>({ measure, report }: Measurement<Figures>): Bench {
  return async (options) => {
    const { json } = options;
    const say = (line: string): void => void (json || process.stderr.write(`${line}\n`));
    const figures = await measure({ ...options, say });
    process.stdout.write(json ? `${JSON.stringify(figures, null, 2)}\n` : report(figures));
  };
}

export interface SystemMeasurement<Figures> {
  readonly measure: (system: BenchSystem, asked: Asked) => Promise<Figures>;
  readonly report: (figures: Figures) => string;
  /** `warn` by default. */
  readonly logLevel?: 'info';
}

/** A benchmark of a system that is started for it, and stopped after it. */
export function benchOfSystem<Figures>({
  measure,
  report,
  logLevel,
}: SystemMeasurement<Figures>): Bench {
  return benchOf({
    report,
    async measure(asked) {
      asked.say('Starting PostgreSQL (durable commits), Temporal, worker, API');
      const system = await startBenchSystem(logLevel);
      try {
        return await Promise.race([measure(system, asked), system.interrupted]);
      } finally {
        await system.stop();
      }
    },
  });
}
