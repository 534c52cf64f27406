/**
 * Runs commands of operators as their entries are, with arguments, environment, output and exit code
 * of their own, but all of a test process in one process beside it. Loading the product takes nearly
 * all of a command's time. A test about the process itself, such as that it ends, takes `alone`.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../../config.ts';

export const root = join(import.meta.dirname, '../..');

export interface Command {
  /** From the root of the repository: `cli/tenant.ts`. */
  readonly entry: string;
  readonly args: readonly string[];
  /** Changes of our own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Ended {
  /** Its exit code, or the signal that killed it. */
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** As a process of its own, as operators do. */
export function alone({ entry, args, env }: Command): Promise<Ended> {
  const options = { cwd: root, env: childEnvironment(env) };
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), stdout, stderr });
    });
  });
}

/** What the process of commands is asked, and answers in the same order. */
export interface Asked {
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

let host: ChildProcess | undefined;
const waiting: ((ended: Ended) => void)[] = [];

/** One after another. */
export function command({ entry, args, env }: Command): Promise<Ended> {
  host ??= startHost();
  const given = Object.entries(childEnvironment(env)).filter(([, value]) => value !== undefined);
  const asked: Asked = { entry, args, env: Object.fromEntries(given) as Asked['env'] };
  const ended = new Promise<Ended>((resolve) => waiting.push(resolve));
  host.channel?.ref();
  host.send(asked);
  return ended;
}

function answer(ended: Ended): void {
  waiting.shift()?.(ended);
  // It keeps us alive only while we wait for it.
  if (waiting.length === 0) host?.channel?.unref();
}

/** It ends with us, as its channel closes. */
function startHost(): ChildProcess {
  const started = fork(join(import.meta.dirname, 'commands-process.ts'), {
    cwd: root,
    execArgv: [],
  });
  started.on('message', (ended) => answer(ended as Ended));
  started.once('exit', (code, signal) => {
    const stderr = `the process of commands has ended with ${signal ?? code}`;
    for (const each of waiting.splice(0)) each({ code: signal, stdout: '', stderr });
    host = undefined;
  });
  started.unref();
  return started;
}
