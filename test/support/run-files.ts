/**
 * Runs test files with AVA, and each file that failed once more, alone, after all others: see
 * unsteady.ts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../config.ts';
import { endLeftBehind } from './left-behind.ts';
import {
  filesWithFindings,
  resultsIn,
  timesIn,
  ONLY_VARIABLE,
  RECORDS_VARIABLE,
  SEED_VARIABLE,
  type FileResult,
  type Spent,
} from './records.ts';
import { filesToRunAgain, verdict } from './unsteady.ts';

const root = join(import.meta.dirname, '../..');
const ava = join(root, 'node_modules/ava/entrypoints/cli.js');

export interface RunOptions {
  /** Arguments for AVA, which select the tests; all tests by default. */
  readonly chosen: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Prints what AVA prints, as it comes. */
  readonly print: (text: string) => void;
}

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Everything that was printed. */
  readonly output: string;
  readonly times: readonly Spent[];
}

export async function runFiles(options: RunOptions): Promise<Outcome> {
  const { print } = options;
  // The same for both runs: a property that failed meets the same input again.
  const seed = String(Math.floor(Math.random() * 2 ** 31));
  const environment = { [SEED_VARIABLE]: seed, ...options.environment };
  const first = await runAva({ ...options, environment });
  // With this option AVA leaves out files after a failure, and their results are unknown.
  const again = options.chosen.includes('--fail-fast')
    ? []
    : filesToRunAgain(first.results, first.findings);
  const second: FileResult[] = [];
  for (const each of again) second.push(await runAgain(each, { ...options, environment }));
  const { unsteady, ...counts } = verdict(first.results, second);
  for (const { file, output } of unsteady) {
    print(`\nunsteady: ${file}\n-- it failed with:\n${output}\n-- and passed with:\n`);
    print(`${second.find((each) => each.file === file)?.output ?? ''}\n`);
  }
  // A wrong argument, for example, shows in the exit code only.
  const isUnexplained = first.code !== 0 && first.results.every(({ failed }) => failed === 0);
  return {
    passed: counts.passed,
    failed: counts.failed + (isUnexplained ? 1 : 0),
    output: [first, ...second].map(({ output }) => output).join('\n'),
    times: first.times,
  };
}

/** The result of the file alone; its output is all that AVA printed. */
async function runAgain({ file }: FileResult, options: RunOptions): Promise<FileResult> {
  options.print(`\nonce more: ${file}\n`);
  const { code, results, output } = await runAva({
    ...options,
    // AVA would add the files that its arguments name.
    chosen: options.chosen.filter((argument) => argument.startsWith('-')),
    environment: { ...options.environment, [ONLY_VARIABLE]: JSON.stringify([file]) },
    print: () => undefined,
  });
  const result = results.find((each) => each.file === file);
  if (result !== undefined && code === 0) return { ...result, output };
  options.print(`it failed again:\n${output}\n`);
  return { file, passed: result?.passed ?? 0, failed: Math.max(result?.failed ?? 0, 1), output };
}

interface AvaRun {
  readonly code: number | null;
  readonly results: readonly FileResult[];
  readonly findings: ReadonlySet<string>;
  readonly times: readonly Spent[];
  readonly output: string;
}

async function runAva({ chosen, environment, print }: RunOptions): Promise<AvaRun> {
  const records = mkdtempSync(join(tmpdir(), 'sundial-records-'));
  const child = spawn(process.execPath, [ava, ...chosen], {
    cwd: root,
    env: childEnvironment({ ...environment, [RECORDS_VARIABLE]: records }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, kill);
  // Each stream separately and as text, so that no line or character is split at a chunk's end.
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      said[stream] += chunk;
      print(chunk);
    });
  }
  try {
    const [code] = await once(child, 'close');
    return {
      code,
      results: resultsIn(records),
      findings: filesWithFindings(records),
      times: timesIn(records),
      output: `${said.stdout}\n${said.stderr}`,
    };
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, kill);
    endLeftBehind(records);
    rmSync(records, { recursive: true, maxRetries: 3 });
  }
}
