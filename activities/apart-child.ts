/** Runs one process for suspects, and reports how it ended. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../config.ts';
import type { BilledBatch } from '../operations/billing/batch.ts';
import { restoreError } from '../operations/context/describe-error.ts';
import { forkLimited, isOwnSignal } from '../providers/limited-process.ts';
import {
  EXIT_OF_SURROUNDINGS,
  type FromChild,
  type Opening,
  type ToChild,
} from './apart-messages.ts';

export interface ApartChild {
  /** Bills one customer at a time. */
  readonly bill: (tenantId: number, customerId: number) => Promise<End>;
  readonly isGone: () => boolean;
  /** Resolves when the process is gone. */
  readonly end: () => Promise<void>;
}

/** How billing one customer ended. */
export type End =
  | { readonly kind: 'billed'; readonly batch: BilledBatch }
  | { readonly kind: 'failed'; readonly error: Error }
  | Death;

export interface Death {
  readonly kind: 'died';
  readonly how: string;
  /** The process ended by itself, not by a signal from outside. */
  readonly isOwn: boolean;
}

export interface ChildOptions extends Opening {
  /** How long its event loop may block. */
  readonly standstillSeconds: number;
  /** Receives the bugs for which the process held a customer, or that crashed it. */
  readonly onBug: (error: Error) => void;
  /** Ends the process, even while it starts. */
  readonly signal: AbortSignal;
}

/**
 * The limit for one customer, in which locks and statements have their own limits. A customer that
 * exceeds it is not at fault.
 */
const CUSTOMER_SECONDS = 300;
/** Long enough for a loaded machine. */
const START_SECONDS = 120;
const TICK_MS = 1_000;
const BLOCKED = 'its event loop was blocked';
const LATE = `it took longer than ${CUSTOMER_SECONDS} s`;
const MEMORY_MB = 256;

/** Resolves when it is ready to bill; throws when it ends before that. */
export async function startChild(options: ChildOptions): Promise<ApartChild> {
  const child = forkChild();
  let killedFor: string | undefined;
  let seconds = 0;
  let secondsSilent = 0;
  let silenceMaxSeconds = START_SECONDS;
  let isBusy = false;
  const { promise: death, resolve: die } = Promise.withResolvers<Death>();
  let hear: (message: FromChild) => void = () => undefined;
  // This counts ticks instead of time, because a machine that sleeps does not tick.
  const timer = setInterval(() => {
    seconds += 1;
    secondsSilent += 1;
    if (secondsSilent > silenceMaxSeconds) kill(BLOCKED);
    else if (seconds > CUSTOMER_SECONDS && isBusy) kill(LATE);
  }, TICK_MS);
  function kill(why: string): void {
    killedFor ??= why;
    child.kill('SIGKILL');
  }
  child.on('message', (message) => {
    secondsSilent = 0;
    hear(message as FromChild);
  });
  const end = (): void => kill('its worker ends');
  options.signal.addEventListener('abort', end, { once: true });
  let isGone = false;
  function leave(last: Death): void {
    isGone = true;
    clearInterval(timer);
    options.signal.removeEventListener('abort', end);
    die(last);
  }
  child.once('exit', (code, signal) => leave(deathOf({ code, signal, killedFor })));
  child.once('error', (error) => {
    if (child.pid === undefined) leave({ kind: 'died', how: error.message, isOwn: false });
  });
  if (options.signal.aborted) end();
  function ask(message: ToChild): Promise<FromChild | Death> {
    seconds = 0;
    secondsSilent = 0;
    isBusy = true;
    const { promise: answer, resolve } = Promise.withResolvers<FromChild>();
    hear = (heard) => {
      if (heard.kind === 'bug') options.onBug(restoreError(heard.error));
      else if (heard.kind !== 'beat') resolve(heard);
    };
    child.send(message, () => undefined);
    return Promise.race([answer, death]).finally(() => (isBusy = false));
  }
  const { databaseUrl, secretKey } = options;
  const ready = await ask({ kind: 'open', databaseUrl, secretKey });
  if (ready.kind === 'died') {
    throw new Error(`the process for suspects did not start: ${ready.how}`);
  }
  silenceMaxSeconds = options.standstillSeconds;
  return {
    async bill(tenantId, customerId) {
      const answer = await ask({ kind: 'bill', tenantId, customerId });
      if (answer.kind === 'failed') return { kind: 'failed', error: restoreError(answer.error) };
      if (answer.kind === 'billed' || answer.kind === 'died') return answer;
      throw new Error(`the process for suspects said ${answer.kind}`);
    },
    isGone: () => isGone,
    async end() {
      end();
      await death;
    },
  };
}

function forkChild(): ChildProcess {
  return forkLimited({
    entry: join(import.meta.dirname, 'bill-apart.ts'),
    memoryMb: MEMORY_MB,
    env: childEnvironment({ DATABASE_URL: undefined, SECRET_KEY: undefined }),
  });
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why we killed it, if we did. */
  readonly killedFor: string | undefined;
}

function deathOf({ code, signal, killedFor }: Exit): Death {
  if (killedFor !== undefined) {
    return { kind: 'died', how: killedFor, isOwn: killedFor === BLOCKED };
  }
  if (signal !== null) return { kind: 'died', how: signal, isOwn: isOwnSignal(signal) };
  return { kind: 'died', how: `exit code ${code}`, isOwn: code !== EXIT_OF_SURROUNDINGS };
}
