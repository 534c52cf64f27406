/**
 * Scenarios of `npm run bench`, with their smallest sizes and all on one system: they report figures. No figure is
 * compared with another. The long run has all of them, and compares two checkouts.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { measured, type Bench } from '../../bench/harness/scenario.ts';
import { startBenchSystem } from '../../bench/harness/system.ts';
import { textOf, type Table } from '../../bench/harness/tables.ts';
import { scenarios } from '../../bench/scenarios.ts';
import { comparedSides, pairs, type PairsSizes } from '../../bench/scenarios/pairs.ts';
import { isLong } from '../support/random.ts';
import { testBundle } from '../support/temporal.ts';

/** The others are built of the same parts. */
const quick = ['billing', 'payments'];
const root = join(import.meta.dirname, '../..');

const { codePath } = await testBundle();
const started = await startBenchSystem({ WORKFLOW_BUNDLE: codePath, LOG_LEVEL: 'info' });
test.after.always(() => started.stop());
/** It is not waited for, because no figure has to be right. */
const system = { ...started, settled: () => Promise.resolve() };
const benchOf = (t: ExecutionContext): Bench => ({
  say: (line) => t.log(line),
  system: () => Promise.resolve(system),
  cleanups: [],
});

/** Rates and times are positive, and each table has a text for people. */
function reports(t: ExecutionContext, tables: readonly Table[]): void {
  t.true(tables.length > 0);
  const text = textOf(tables);
  for (const { title, rows } of tables) {
    t.true(rows.length > 0 && text.includes(title), title);
    for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
      if (/per second$|^p\d\d ms$/.test(column)) t.true(Number(value) > 0, `${title}: ${column}`);
    }
  }
}

for (const name of isLong ? Object.keys(scenarios) : quick) {
  const scenario = scenarios[name];
  if (!scenario || scenario === pairs) continue;
  test.serial(`npm run bench -- ${name} reports its figures`, async (t) => {
    reports(t, await measured(scenario, benchOf(t), scenario.brief));
  });
}

if (isLong) {
  test.serial('npm run bench -- pairs reports the figures of two systems', async (t) => {
    const bench = benchOf(t);
    const sizes = { ...pairs.sizes, ...pairs.brief } as PairsSizes;
    try {
      reports(t, await comparedSides(bench, { here: system, there: system }, sizes));
    } finally {
      for (const cleanup of bench.cleanups) await cleanup();
    }
  });

  test.serial('npm run bench -- pairs compares two checkouts by their own npm start', async (t) => {
    t.timeout(600_000);
    const args = ['bench/main.ts', 'pairs', '--against', root, '--brief', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    reports(t, JSON.parse(stdout));
  });
}
