/**
 * Entry of `npm test`: one PostgreSQL and one Temporal server for the whole run, then AVA.
 * Arguments after `npm test --` go to AVA: file names, `--match='*words*'`, `--fail-fast`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../config.ts';
import { errorCatalogue } from '../../api/docs/errors.ts';
import { ASSERTED_VARIABLE, neverAsserted } from './asserted.ts';
import { workflowsPath } from './bundle.ts';
import { leaksIn, secretsOfTests } from './leaks.ts';
import { SERVERS_VARIABLE, serve } from './servers.ts';
import type { TestServers } from './servers.ts';

const ava = join(import.meta.dirname, '../../node_modules/ava/entrypoints/cli.js');

/** Arguments for AVA, which select the tests; all tests by default. */
const chosen = process.argv.slice(2);
const asserted = mkdtempSync(join(tmpdir(), 'sundial-asserted-'));
/** Each of some hundred processes would compile the same modules again. */
const compiled = mkdtempSync(join(tmpdir(), 'sundial-compiled-'));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function saySeconds(phase: string, seconds: number): void {
  say(`${phase}: ${seconds.toFixed(1)} s`);
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Everything that was printed. */
  readonly output: string;
}

/** Runs AVA, prints its output, and counts its results. */
async function runAva(servers: Partial<TestServers>): Promise<Outcome> {
  const child = spawn(process.execPath, [ava, ...chosen], {
    env: childEnvironment({
      [SERVERS_VARIABLE]: JSON.stringify(servers),
      [ASSERTED_VARIABLE]: asserted,
      NODE_COMPILE_CACHE: compiled,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  // Each stream separately and as text, so that no line or character is split at a chunk's end.
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      process[stream].write(chunk);
      said[stream] += chunk;
    });
  }
  const [code] = await once(child, 'close');
  const output = `${said.stdout}\n${said.stderr}`;
  const sum = (words: RegExp) =>
    [...output.matchAll(words)].reduce((total, [, number]) => total + Number(number), 0);
  // AVA's summary leaves the passed ones out when any failed, so their lines are counted.
  const passed = [...output.matchAll(/^ *✔ /gm)].length;
  const failed =
    sum(/^ *(\d+) (?:tests?|hooks?) failed/gm) +
    sum(/^ *(\d+) (?:uncaught exceptions?|unhandled rejections?)/gm);
  // Time-outs, exceptions outside tests and files without tests show in the exit code only.
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1), output };
}

/** Codes of the catalogue that no test has asserted; known only when all tests have run. */
const untestedCodes = (): string[] =>
  neverAsserted(
    asserted,
    errorCatalogue().map(({ code }) => code),
  );

const began = performance.now();
const servers = serve(
  existsSync(workflowsPath) ? ['postgres', 'temporal', 'bundle'] : ['postgres', 'temporal'],
  saySeconds,
);
try {
  const addresses = await servers.addresses;
  const testsBegan = performance.now();
  const { passed, failed: failedTests, output } = await runAva(addresses);
  saySeconds('tests', (performance.now() - testsBegan) / 1000);
  await servers.stop();
  const leaks = new Set([...leaksIn(output, secretsOfTests()), ...servers.leaks()]);
  for (const leak of leaks) say(`the run shows a number of a card or an account: ${leak}`);
  const untested = chosen.length === 0 ? untestedCodes() : [];
  for (const code of untested) say(`no test asserts that anything is refused by ${code}`);
  const failed = failedTests + leaks.size + untested.length;
  saySeconds('in all', (performance.now() - began) / 1000);
  say(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await servers.stop();
  for (const folder of [asserted, compiled]) rmSync(folder, { recursive: true, maxRetries: 3 });
}
