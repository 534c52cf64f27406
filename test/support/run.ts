/**
 * Entry of `npm test`: one PostgreSQL and one Temporal server for the whole run, then AVA.
 * Arguments after `npm test --` go to AVA: file names, `--match='*words*'`, `--fail-fast`. Without
 * names the crash tests are left out; `--long` runs them, and more cases of the random tests.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCatalogue } from '../../api/docs/errors.ts';
import { ASSERTED_VARIABLE, neverAsserted } from './asserted.ts';
import { workflowsPath } from './bundle.ts';
import { cpuSeconds } from './cpu-time.ts';
import { leaksIn, secretsOfTests } from './leaks.ts';
import { runFiles } from './run-files.ts';
import { LONG_VARIABLE, SEED_VARIABLE, type Spent } from './records.ts';
import { SERVERS_VARIABLE, SERVER_ENVIRONMENT, serve } from './servers.ts';

/** Files whose times are printed. */
const SLOWEST = 10;
/** Arguments for AVA, which select the tests; all tests by default. */
const chosen = process.argv.slice(2).filter((argument) => argument !== '--long');
const isLong = process.argv.includes('--long');
/**
 * The run that decides whether a change is taken in meets the same cases each time; the long run
 * meets others.
 */
const SEED = 20_261_126;
const { [SEED_VARIABLE]: seed = String(isLong ? Math.floor(Math.random() * 2 ** 31) : SEED) } =
  process.env;
const asserted = mkdtempSync(join(tmpdir(), 'sundial-asserted-'));
/** Each of some hundred processes would compile the same modules again. */
const compiled = mkdtempSync(join(tmpdir(), 'sundial-compiled-'));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function saySeconds(phase: string, seconds: number): void {
  say(`${phase}: ${seconds.toFixed(1)} s`);
}

/** Where the time goes. The CPU time is that of the file's processes, without the servers of all. */
function sayTimes(times: readonly Spent[]): void {
  for (const [folder, files] of Map.groupBy(times, ({ file }) => dirname(file))) {
    const cpuSeconds = files.reduce((sum, each) => sum + each.cpuSeconds, 0);
    say(`CPU ${cpuSeconds.toFixed(1)} s: ${folder}, ${files.length} processes`);
  }
  const slowest = times.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  for (const { file, seconds, cpuSeconds } of slowest) {
    say(`${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s: ${file}`);
  }
}

/** Codes of the catalogue that no test has asserted; known only when all tests have run. */
const untestedCodes = (): string[] =>
  neverAsserted(
    asserted,
    errorCatalogue().map(({ code }) => code),
  );

const began = performance.now();
if (isLong) say(`${SEED_VARIABLE}=${seed}`);
const servers = serve(
  existsSync(workflowsPath) ? ['postgres', 'temporal', 'bundle'] : ['postgres', 'temporal'],
  saySeconds,
);
try {
  const addresses = await servers.addresses;
  const testsBegan = performance.now();
  const tests = await runFiles({
    chosen,
    environment: {
      ...SERVER_ENVIRONMENT,
      [SERVERS_VARIABLE]: JSON.stringify(addresses),
      [ASSERTED_VARIABLE]: asserted,
      NODE_COMPILE_CACHE: compiled,
      [SEED_VARIABLE]: seed,
      ...(isLong ? { [LONG_VARIABLE]: 'true' } : {}),
    },
    print: (text) => process.stdout.write(text),
  });
  sayTimes(tests.times);
  saySeconds('tests', (performance.now() - testsBegan) / 1000);
  await servers.stop();
  const leaks = new Set([...leaksIn(tests.output, secretsOfTests()), ...servers.leaks()]);
  for (const leak of leaks) say(`the run shows a number of a card or an account: ${leak}`);
  const untested = chosen.length === 0 && !isLong ? untestedCodes() : [];
  for (const code of untested) say(`no test asserts that anything is refused by ${code}`);
  const failed = tests.failed + leaks.size + untested.length;
  saySeconds('CPU of all processes', cpuSeconds());
  saySeconds('in all', (performance.now() - began) / 1000);
  say(`${tests.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await servers.stop();
  for (const folder of [asserted, compiled]) rmSync(folder, { recursive: true, maxRetries: 3 });
}
