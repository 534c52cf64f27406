/** One run of a benchmark: starts a separate system, measures, and prints the figures. */
import { startBenchSystem, type BenchSystem } from './system.ts';

export interface Bench<Figures> {
  readonly json: boolean;
  /** @param say prints the progress for people */
  readonly measure: (system: BenchSystem, say: (line: string) => void) => Promise<Figures>;
  readonly report: (figures: Figures) => string;
}

export async function runBench<Figures>(bench: Bench<Figures>): Promise<void> {
  const { json, measure, report } = bench;
  const say = (line: string): void => void (json || process.stderr.write(`${line}\n`));
  say('Starting PostgreSQL (durable commits), Temporal, worker, API');
  const system = await startBenchSystem();
  try {
    const figures = await Promise.race([measure(system, say), system.interrupted]);
    process.stdout.write(json ? `${JSON.stringify(figures, null, 2)}\n` : report(figures));
  } finally {
    await system.stop();
  }
}
