/** Waits for a server that was just started; if it does not answer, the error quotes its log. */
import { readFileSync } from 'node:fs';
import { withPatience } from '../patience.ts';
import type { ServerProcess } from './process.ts';

export interface StartingServer {
  readonly server: ServerProcess;
  readonly logFile: string;
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
}

const POLL_MS = 50;
const LAST_LINES = 5;

/** @param ask fails as long as the server is not ready */
export async function untilAnswers(
  ask: () => Promise<unknown>,
  { server, logFile, limitSeconds, signal }: StartingServer,
): Promise<void> {
  async function askRunning(): Promise<void> {
    if (!server.running()) throw new Error(`${server.name} ended`);
    await ask();
  }
  const mayPass = (): boolean => server.running();
  try {
    await withPatience(askRunning, { limitSeconds, pauseMs: POLL_MS, signal, mayPass });
  } catch (cause) {
    signal.throwIfAborted();
    const what = server.running() ? 'is not ready' : 'ended';
    throw new Error(`${server.name} ${what}. ${lastWords(logFile)}`, { cause });
  }
}

function lastWords(logFile: string): string {
  const log = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  return `The end of ${logFile}:\n${log}`;
}
