/**
 * A part of the running system that is restarted, with growing pauses, when it ends unexpectedly.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../providers/embedded/process.ts';

/** What every server returns once it is ready. */
export interface Part {
  readonly server: ServerProcess;
  readonly stop: () => Promise<void>;
}

export interface KeptPart<P extends Part> {
  readonly first: P;
  readonly stop: () => Promise<void>;
}

export interface KeepOptions<P extends Part> {
  readonly name: string;
  /** Starts the part and waits until it is ready; leaves nothing running when it throws. */
  readonly start: (signal: AbortSignal) => Promise<P>;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Waits until the disk has room, and returns whether it had to. */
  readonly untilRoom: () => Promise<boolean>;
  /** The part ended again and again, and is not restarted any more. */
  readonly onGivenUp: (error: Error) => void;
}

const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 30_000;
const ATTEMPTS_MAX = 8;
/** A part that ran this long has recovered: its next failure counts as the first. */
const RECOVERED_MS = 60_000;

/** The first start must succeed; later starts are retried. */
export async function keepRunning<P extends Part>(options: KeepOptions<P>): Promise<KeptPart<P>> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const first = await options.start(signal);
  let current: P | undefined = first;
  const watching = watch(first);
  return {
    first,
    async stop() {
      ending.abort();
      await current?.stop();
      await watching;
    },
  };

  async function watch(part: P): Promise<void> {
    let attempts = 0;
    for (let running = part; ;) {
      const began = Date.now();
      const how = await running.server.exited;
      if (signal.aborted) return;
      current = undefined;
      if (Date.now() - began > RECOVERED_MS) attempts = 0;
      options.say(`${options.name} ended unexpectedly (${how})`);
      const next = await startAgain();
      if (!next) return;
      current = running = next;
    }

    async function startAgain(): Promise<P | undefined> {
      while (attempts < ATTEMPTS_MAX) {
        try {
          // What ended on a full disk has not failed by itself.
          if (await options.untilRoom()) attempts = 0;
          const pause = Math.min(PAUSE_MS_MIN * 2 ** attempts, PAUSE_MS_MAX);
          attempts += 1;
          await sleep(pause, undefined, { signal });
          const next = await options.start(signal);
          options.say(`${options.name} runs again`);
          return next;
        } catch (error) {
          if (signal.aborted) return undefined;
          options.say(`${options.name} could not be started: ${String(error)}`);
        }
      }
      options.onGivenUp(new Error(`${options.name} died ${ATTEMPTS_MAX} times: giving up.`));
      return undefined;
    }
  }
}
