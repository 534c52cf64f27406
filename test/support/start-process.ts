/** `npm start` as a real process on a separate DATA_DIR, observed from outside. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { childEnvironment } from '../../config.ts';
import { SERVERS_VARIABLE, testServers } from './servers.ts';

export interface StartProcess {
  readonly child: ChildProcess;
  /** Everything that it has printed so far. */
  readonly output: () => string;
  /** Resolves when it has printed a match; rejects when it ends without one. */
  readonly said: (words: RegExp) => Promise<RegExpMatchArray>;
  /** Its exit code, or the signal that killed it. */
  readonly ended: Promise<number | string>;
}

const root = join(import.meta.dirname, '../..');
/** However slow the machine is. */
const SAID_LIMIT_MS = 240_000;

const NODE_START = [process.execPath, 'cli/start.ts'];
/** As a user does; its worker bundles the workflows itself. */
export const NPM_START = ['npm', 'start'];
const { bundle } = await testServers('bundle');

/** On free ports, without the settings of our own environment. */
export function startProcess(
  t: Pick<ExecutionContext, 'teardown'>,
  dataDir: string,
  options: { command?: readonly string[]; env?: Record<string, string> } = {},
): StartProcess {
  const command = options.command ?? NODE_START;
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    env: childEnvironment({
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: undefined,
      TEMPORAL_ADDRESS: undefined,
      [SERVERS_VARIABLE]: undefined,
      WORKFLOW_BUNDLE: command === NPM_START ? undefined : bundle,
      ...options.env,
    }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      child.emit('said');
    });
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code ?? -1));
  });
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
    for (const pid of processesOf(dataDir)) killed(pid);
  });
  return { child, output: () => output, ended, said };

  async function said(words: RegExp): Promise<RegExpMatchArray> {
    return await new Promise((resolve, reject) => {
      const giveUp = (why: string): void => {
        clearTimeout(timer);
        reject(new Error(`${why} ${String(words)}:\n${output}`));
      };
      const timer = setTimeout(giveUp, SAID_LIMIT_MS, 'It has not said');
      const look = (): void => {
        const match = words.exec(output);
        if (!match) return;
        clearTimeout(timer);
        child.off('said', look);
        resolve(match);
      };
      child.on('said', look);
      look();
      void ended.then(() => giveUp('It ended without'));
    });
  }
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended by itself meanwhile.
  }
}

/** Every process of this DATA_DIR, which is in its arguments or its environment. */
export function processesOf(dataDir: string): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => {
    if (pid === process.pid) return false;
    const known = `${contents(pid, 'cmdline')}${contents(pid, 'environ')}`;
    return known.includes(dataDir);
  });
}

function contents(pid: number, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
