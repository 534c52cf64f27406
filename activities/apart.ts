/**
 * Manages the process for suspects: starts it when there are suspects, gives it one customer at a
 * time, watches it, and restarts it when it dies. A customer is at fault only if the process dies
 * by itself.
 */
import { holdCrashed, type Apart } from '../operations/billing/apart.ts';
import { nothingBilled, type BilledBatch } from '../operations/billing/batch.ts';
import { logBatch } from '../operations/billing/bill-customers.ts';
import { holdLine } from '../operations/billing/customers.ts';
import { tenantInfo, type Dependencies } from '../operations/context/context.ts';
import { since } from '../operations/context/work-log.ts';
import { startChild, type ApartChild } from './apart-child.ts';
import type { Opening } from './apart-messages.ts';

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
  const { dependencies, databaseUrl, secretKey, onError } = options;
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
      const opening = { databaseUrl, secretKey };
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
