/**
 * Runs heavy calls in a separate thread, so that the calls of other tenants do not wait for its
 * event loop, and a call that exhausts its memory ends only that thread.
 */
import { Worker } from 'node:worker_threads';
import { OutcomeUnknownError, UnavailableError } from '../../../db/connection/faults.ts';
import { restoreError } from '../../../operations/context/describe-error.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import type { TellWork } from '../../../operations/context/work-log.ts';
import { STANDSTILL_SECONDS_MAX } from '../../../operations/processes/standstill.ts';
import type { Answer } from '../../calls/answer.ts';
import type { RawCall } from '../../calls/call.ts';
import { RequestError } from '../../calls/errors.ts';
import { routeKey, type XmlRoute } from '../../calls/route-types.ts';
import {
  BEAT_MS,
  type AnsweredCall,
  type FromThread,
  type HeavySettings,
  type RefusedCall,
  type SentAnswer,
} from './messages.ts';

export interface HeavyThread {
  /** Throws as `route.respond` does; if the thread dies, the outcome of a write is unknown. */
  readonly respond: (route: XmlRoute, call: RawCall) => Promise<Answer>;
  /** Ends the thread; no call is under way. */
  readonly close: () => Promise<void>;
}

export interface HeavyThreadOptions {
  readonly settings: HeavySettings;
  readonly dispatch: (tenantId: number, nudges: readonly Nudge[]) => void;
  readonly onWork: TellWork;
  readonly noteMoved: (bytes: number) => void;
  readonly onError: (error: Error) => void;
  readonly entry?: URL;
}

/** Half of what the memory of all bodies and answers may take, and the rows behind them. */
const MEMORY_MB = 384;
const YOUNG_MEMORY_MB = 16;
/** The headers that routes read. */
const headerNames = ['idempotency-key', 'if-match'];

interface Running {
  readonly ask: (route: XmlRoute, call: RawCall) => Promise<AnsweredCall | RefusedCall>;
  readonly end: () => Promise<void>;
}

/** The first heavy call starts the thread, which then stays. */
export function openHeavyThread(options: HeavyThreadOptions): HeavyThread {
  let running: Running | undefined;
  return {
    async respond(route, call) {
      running ??= startThread(options, () => (running = undefined));
      const ended = await running.ask(route, call);
      for (const bytes of ended.moved) options.noteMoved(bytes);
      if (ended.kind === 'refused') throw refusalFrom(ended);
      for (const { kind, id } of ended.missed) if (kind !== 'any') call.noteMiss(kind, id);
      return { ...ended.answer, body: bodyOf(ended.answer) };
    },
    async close() {
      await running?.end();
    },
  };
}

function bodyOf({ body }: SentAnswer): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function refusalFrom({ refusal }: RefusedCall): RequestError {
  const { status, errors, headers, missed, cause } = refusal;
  const error = new RequestError(status, errors, headers, missed);
  if (cause !== undefined) error.cause = restoreError(cause);
  return error;
}

interface Asked {
  readonly route: XmlRoute;
  readonly end: (ended: AnsweredCall | RefusedCall) => void;
  readonly fail: (error: Error) => void;
}

function startThread(options: HeavyThreadOptions, forget: () => void): Running {
  const { settings, dispatch, onWork, onError } = options;
  const worker = new Worker(options.entry ?? new URL('./entry.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: {
      maxOldGenerationSizeMb: MEMORY_MB,
      maxYoungGenerationSizeMb: YOUNG_MEMORY_MB,
    },
  });
  const asked = new Map<number, Asked>();
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  let numbers = 0;
  let silentSeconds = 0;
  let isReady = false;
  let isEnding = false;
  // This counts ticks instead of time, because a machine that sleeps does not tick.
  const watch = setInterval(() => {
    silentSeconds += 1;
    if (silentSeconds > STANDSTILL_SECONDS_MAX) void worker.terminate();
  }, BEAT_MS).unref();

  worker.on('message', (message: FromThread) => {
    silentSeconds = 0;
    if (message.kind === 'nudges') dispatch(message.tenantId, message.nudges);
    else if (message.kind === 'work') onWork(message.line);
    else if (message.kind === 'ready') isReady = true;
    else if (message.kind === 'lost') onError(restoreError(message.error));
    else if (message.kind === 'answered' || message.kind === 'refused') {
      asked.get(message.number)?.end(message);
      asked.delete(message.number);
    }
  });
  worker.on('error', onError);
  worker.on('exit', (code) => {
    clearInterval(watch);
    forget();
    if (!isEnding) onError(new Error(`the thread for heavy calls has ended with code ${code}`));
    for (const { route, fail } of asked.values()) fail(lostCall(route, { hadBegun: isReady }));
    leave();
  });
  return {
    ask(route, call) {
      const {
        promise,
        resolve: end,
        reject: fail,
      } = Promise.withResolvers<AnsweredCall | RefusedCall>();
      numbers += 1;
      asked.set(numbers, { route, end, fail });
      const { header, noteMiss: _here, ...sent } = call;
      const headers = headerNames.flatMap((name) => {
        const value = header(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      worker.postMessage({
        kind: 'call',
        number: numbers,
        route: routeKey(route),
        call: { ...sent, headers: Object.fromEntries(headers) },
      });
      return promise;
    },
    async end() {
      isEnding = true;
      worker.postMessage({ kind: 'end' });
      await gone;
    },
  };
}

function lostCall({ isWrite }: XmlRoute, { hadBegun }: { readonly hadBegun: boolean }): Error {
  const text = 'the thread for heavy calls ended during the call';
  return hadBegun && isWrite ? new OutcomeUnknownError(text) : new UnavailableError(text);
}
