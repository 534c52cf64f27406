/** Server processes: detached from the terminal, identified by pid and start time. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { setPriority } from 'node:os';

/** The system reuses pids; with its start time a pid identifies one process. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

export interface ServerProcess {
  readonly name: string;
  readonly identity: ProcessIdentity;
  /** Resolves with text like `exit code 1` or `signal SIGKILL` when the process has ended. */
  readonly exited: Promise<string>;
  readonly child: ChildProcess;
  running(): boolean;
  /** Sends the signal, then SIGKILL if the process still runs after the limit. */
  stop(options: { signal: NodeJS.Signals; limitSeconds: number }): Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Record<string, string | undefined>;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Receives the process's output; without it the caller reads the output from a pipe. */
  readonly logFile?: string;
  /** Where all want the processors, the servers for whose answer somebody waits come first. */
  readonly isBackground?: boolean;
}

/** It keeps a third of what a server that comes first gets. */
const BACKGROUND_NICE = 5;

/** In a separate session, so that a Ctrl-C reaches only the start, which stops parts in order. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const log = options.logFile === undefined ? 'pipe' : openSync(options.logFile, 'a', 0o600);
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    ...options.user,
    detached: true,
    stdio: ['ignore', log, log],
  });
  if (typeof log === 'number') closeSync(log);
  const ended = new Promise<string>((resolve) => {
    // The event 'exit' may come before all output has been read.
    child.once('close', (code, signal) =>
      resolve(signal === null ? `exit code ${code}` : `signal ${signal}`),
    );
  });
  await once(child, 'spawn').catch((cause: unknown) => {
    throw new Error(`${options.name} could not be started: ${options.command}`, { cause });
  });
  if (options.isBackground && child.pid !== undefined) stepBack(child.pid);
  return asServer(options.name, child, ended);
}

/** Linux shares the processors among sessions first, and by `nice` only within each. */
function stepBack(pid: number): void {
  try {
    setPriority(pid, BACKGROUND_NICE);
    if (process.platform === 'linux') {
      writeFileSync(`/proc/${pid}/autogroup`, String(BACKGROUND_NICE));
    }
  } catch {
    // It has ended, or this kernel does not group by session.
  }
}

function asServer(name: string, child: ChildProcess, exited: Promise<string>): ServerProcess {
  const pid = child.pid ?? 0;
  const running = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    child,
    exited,
    identity: { pid, startedAt: processStartedAt(pid) ?? '' },
    running,
    async stop({ signal, limitSeconds }) {
      if (!running()) return;
      child.kill(signal);
      const killer = setTimeout(() => child.kill('SIGKILL'), limitSeconds * 1000);
      await exited;
      clearTimeout(killer);
    },
  };
}

/** Undefined if there is no such process; a zombie counts as ended. */
export function processStartedAt(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { stdio: 'pipe' });
      return started.toString().trim() || undefined;
    }
    // The fields after the command's name, which may contain blanks and brackets: the first is the
    // state, the twentieth the start in ticks since boot (proc_pid_stat(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identity.startedAt !== '' && processStartedAt(identity.pid) === identity.startedAt;
}

const ORPHAN_POLL_MS = 50;

/** Stops a process that an earlier start left, and that is not our child. */
export async function stopOrphan(
  identity: ProcessIdentity,
  options: { signal: NodeJS.Signals; limitSeconds: number },
): Promise<void> {
  if (!isRunning(identity)) return;
  process.kill(identity.pid, options.signal);
  const killAt = Date.now() + options.limitSeconds * 1000;
  while (isRunning(identity)) {
    if (Date.now() > killAt) process.kill(identity.pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, ORPHAN_POLL_MS));
  }
}
