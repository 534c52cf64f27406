/** Starts a child process with a limit of memory, for work that may block or end its process. */
import { fork, type ChildProcess } from 'node:child_process';

export interface LimitedProcess {
  /** The file that it runs; it calls `guardProcess`. */
  readonly entry: string;
  /** Beyond it, Node ends the process. */
  readonly memoryMb: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const YOUNG_MEMORY_MB = 4;

export function forkLimited({ entry, memoryMb, env }: LimitedProcess): ChildProcess {
  return fork(entry, {
    execArgv: [
      ...process.execArgv.filter((each) => !each.includes('-space-size=')),
      `--max-old-space-size=${memoryMb}`,
      `--max-semi-space-size=${YOUNG_MEMORY_MB}`,
    ],
    env,
    // Node's last output may quote data, so it is dropped; the child sends its errors as messages.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Signals of a crash or of missing memory, which a process causes by itself. */
const ownSignals: ReadonlySet<string> = new Set([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
]);

export function isOwnSignal(signal: string): boolean {
  return ownSignals.has(signal);
}
