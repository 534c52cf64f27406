/** Runs our own programs (worker, API, tenant) as child processes of the start. */

import { createInterface } from 'node:readline';
import { startServer, type ServerProcess } from '../../providers/embedded/process.ts';
import type { LogFile } from './log-file.ts';
import type { Part } from './part.ts';

export interface NodeChildOptions {
  readonly name: string;
  /** Path of the `.ts` file. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** Options for Node itself. */
  readonly nodeOptions?: readonly string[];
  readonly env: Record<string, string | undefined>;
  readonly isBackground?: boolean;
  /**
   * Gets all output of the program; the terminal shows errors only. The same for each of its
   * processes, so that what one could not write is said when the next one can.
   */
  readonly log: LogFile;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly onProcess: (server: ServerProcess) => void;
}

const STOP_LIMIT_SECONDS = 30;
const LAST_WORDS = 20;
/** Pino's number for errors. */
const LEVEL_ERROR = 50;

/** Resolves when the program has logged `{"msg":"ready"}`. */
export async function startNodeChild(options: NodeChildOptions): Promise<Part> {
  options.signal.throwIfAborted();
  const { server, output } = await launch(options);
  const stop = () => server.stop({ signal: 'SIGTERM', limitSeconds: STOP_LIMIT_SECONDS });
  try {
    await Promise.race([output.ready, aborted(options.signal), endedTooSoon()]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { server, stop };

  async function endedTooSoon(): Promise<never> {
    const how = await server.exited;
    throw new Error(`${options.name} ended before it was ready (${how}).\n${output.lastWords()}`);
  }
}

/** Runs a program that does one thing and ends; throws its output unless it exits with 0. */
export async function runNodeChild(options: NodeChildOptions): Promise<void> {
  const { server, output } = await launch(options);
  const stop = () => void server.stop({ signal: 'SIGTERM', limitSeconds: STOP_LIMIT_SECONDS });
  options.signal.addEventListener('abort', stop, { once: true });
  const how = await server.exited;
  options.signal.removeEventListener('abort', stop);
  options.signal.throwIfAborted();
  if (how !== 'exit code 0') throw new Error(output.lastWords() || `${options.name}: ${how}`);
}

interface Output {
  readonly ready: Promise<void>;
  readonly lastWords: () => string;
}

async function launch(
  options: NodeChildOptions,
): Promise<{ server: ServerProcess; output: Output }> {
  const { name, entry, args = [], nodeOptions = [], env, isBackground } = options;
  const server = await startServer({
    name,
    command: process.execPath,
    args: [...nodeOptions, entry, ...args],
    env,
    ...(isBackground && { isBackground }),
  });
  options.onProcess(server);
  return { server, output: readOutput(server, options) };
}

function readOutput(server: ServerProcess, options: NodeChildOptions): Output {
  const { log } = options;
  const last: string[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const { stdout, stderr } = server.child;
  for (const stream of [stdout, stderr]) {
    if (!stream) continue;
    createInterface(stream).on('line', (line) => {
      log.add(line);
      const entry = logEntry(line);
      if (entry?.msg === 'ready') return resolve();
      if (entry === undefined || entry.level >= LEVEL_ERROR) last.push(entry?.msg ?? line);
      if (last.length > LAST_WORDS) last.shift();
      if (entry && entry.level >= LEVEL_ERROR) options.say(`${options.name}: ${entry.msg}`);
    });
  }
  return { ready, lastWords: () => last.join('\n') };
}

/** Undefined for a line that is not of our log: a stack trace, or a warning of Node. */
function logEntry(line: string): { readonly level: number; readonly msg: string } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { level = 0, msg = '', err } = JSON.parse(line);
    return { level: Number(level), msg: [msg, err?.message].filter(Boolean).join(': ') };
  } catch {
    return undefined;
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
