/**
 * Manages the process for suspects: starts it when there are suspects, gives it one customer at a
 * time, watches it, and restarts it when it dies. A customer is at fault only if the process dies
 * by itself.
 */
import { type Apart, holdCrashed } from '../operations/billing/apart.ts';
import { type BilledBatch, nothingBilled } from '../operations/billing/batch.ts';
import { logBatch } from '../operations/billing/bill-customers.ts';
import { holdLine } from '../operations/billing/customers.ts';
import { type Dependencies, tenantInfo } from '../operations/context/context.ts';
import { since } from '../operations/context/work-log.ts';
import {
  EXIT_OF_SURROUNDINGS,
  type FromChild,
  type Opening,
  type ToChild,
} from './apart-messages.ts';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../config.ts';
import { restoreError } from '../operations/context/describe-error.ts';
import { forkLimited, isOwnSignal } from '../providers/limited-process.ts';

export interface ApartOptions extends Opening {
  readonly dependencies: Dependencies;
  readonly onError: (error: unknown) => void;
  /** How long the event loop of that process may block. */
  readonly standstillSeconds?: number;
}

export interface RunningApart extends Apart {
  /** Ends the process; the customer that is being billed stays a suspect without blame. */
  readonly stop: () => Promise<void>;
}

/** A customer whose billing blocks the event loop for longer is at fault. */
const STANDSTILL_SECONDS = 30;
/** After the process was ended from outside this often, the suspects wait for the next time. */
const TRIES_MAX = 5;
/** The process ends when idle, so that it costs no memory. */
const IDLE_MS = 10_000;

export function startApart(options: ApartOptions): RunningApart {
  const { dependencies, databaseUrl, secretKeys, onError } = options;
  const { standstillSeconds = STANDSTILL_SECONDS } = options;
  const jobs = new Map<string, Promise<BilledBatch | undefined>>();
  let last: Promise<unknown> = Promise.resolve();
  let child: ApartChild | undefined;
  let idle: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function bill(tenantId: number, customerId: number): Promise<BilledBatch | undefined> {
    clearTimeout(idle);
    for (let tries = 0; tries < TRIES_MAX && !signal.aborted; tries += 1) {
      if (child?.isGone()) child = undefined;
      const opening = { databaseUrl, secretKeys };
      child ??= await startChild({ ...opening, standstillSeconds, onBug: onError, signal });
      const began = performance.now();
      const end = await child.bill(tenantId, customerId);
      if (end.kind === 'billed') return logged(dependencies, tenantId, end.batch, since(began));
      if (end.kind === 'failed') {
        onError(end.error);
        return undefined;
      }
      child = undefined;
      if (signal.aborted) return undefined;
      onError(new Error(`the process for suspects ended at customer ${customerId}: ${end.how}`));
      if (end.isOwn) {
        return { ...nothingBilled, held: await holdCrashed(dependencies, tenantId, customerId) };
      }
    }
    return undefined;
  }

  function rest(): void {
    idle = setTimeout(() => void endChild(), IDLE_MS).unref();
  }

  async function endChild(): Promise<void> {
    clearTimeout(idle);
    const ending = child;
    child = undefined;
    await ending?.end();
  }

  return {
    bill(tenantId, customerId) {
      const key = `${tenantId} ${customerId}`;
      const asked = jobs.get(key);
      if (asked) return asked;
      const job = last
        .then(() => bill(tenantId, customerId))
        .catch((error: unknown) => {
          if (!signal.aborted) onError(error);
          return undefined;
        });
      const done = job.finally(() => {
        jobs.delete(key);
        if (jobs.size === 0) rest();
      });
      jobs.set(key, done);
      last = done;
      return done;
    },
    async stop() {
      stopping.abort();
      await last;
      await endChild();
    },
  };
}

/** Logs the work of that process, which has no log of its own. */
async function logged(
  dependencies: Dependencies,
  tenantId: number,
  batch: BilledBatch,
  milliseconds: number,
): Promise<BilledBatch> {
  await logBatch(dependencies, tenantId, batch, milliseconds);
  const { label } = await tenantInfo(dependencies, tenantId);
  for (const each of batch.held) dependencies.onWork?.(holdLine(label, each));
  return batch;
}

/* Runs one process for suspects, and reports how it ended. */

interface ApartChild {
  /** Bills one customer at a time. */
  readonly bill: (tenantId: number, customerId: number) => Promise<End>;
  readonly isGone: () => boolean;
  /** Resolves when the process is gone. */
  readonly end: () => Promise<void>;
}

/** How billing one customer ended. */
type End =
  | { readonly kind: 'billed'; readonly batch: BilledBatch }
  | { readonly kind: 'failed'; readonly error: Error }
  | Death;

interface Death {
  readonly kind: 'died';
  readonly how: string;
  /** The process ended by itself, not by a signal from outside. */
  readonly isOwn: boolean;
}

interface ChildOptions extends Opening {
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
async function startChild(options: ChildOptions): Promise<ApartChild> {
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
  const { databaseUrl, secretKeys } = options;
  const ready = await ask({ kind: 'open', databaseUrl, secretKeys });
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
