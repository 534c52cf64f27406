/** Limits the size and the silences of a file that is on its way. */
import { Readable } from 'node:stream';
import { SILENCE_MS_MAX, StorageError } from './storage.ts';

export interface FileLimits {
  readonly bytesMax: number;
  /** What a silence of SILENCE_MS_MAX is thrown as. */
  readonly stalled: () => Error;
  readonly signal?: AbortSignal | undefined;
  /** Calls back when a time is over; returns a function that cancels this. */
  readonly startLimit?: StartLimit | undefined;
}

export type StartLimit = (ms: number, onOver: () => void) => () => void;

/**
 * Hands the content, within its limits, to `store`. An error of the content or a limit is thrown as it
 * is, and any other error as what `failureOf` makes of it.
 */
export async function storing<Result>(
  content: AsyncIterable<Uint8Array>,
  limits: FileLimits,
  store: (within: AsyncIterable<Uint8Array>) => Promise<Result>,
  failureOf: (error: unknown) => Error,
): Promise<Result> {
  const broken: unknown[] = [];
  try {
    return await store(limited(content, limits, (error) => broken.push(error)));
  } catch (error) {
    throw broken.length > 0 ? broken[0] : failureOf(error);
  }
}

/** The same bytes; throws `tooLarge`, what `stalled` makes, or the signal's reason. */
export async function* limited(
  content: AsyncIterable<Uint8Array>,
  limits: FileLimits,
  onBroken: (error: unknown) => void = () => undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = content[Symbol.asyncIterator]();
  let bytes = 0;
  const nextOf = async (): Promise<IteratorResult<Uint8Array, unknown>> => {
    try {
      limits.signal?.throwIfAborted();
      const next = await inTime(() => source.next(), limits);
      if (next.done !== true) bytes += next.value.byteLength;
      if (bytes > limits.bytesMax) throw new StorageError('tooLarge');
      return next;
    } catch (error) {
      onBroken(error);
      throw error;
    }
  };
  let isWhole = false;
  try {
    for (;;) {
      const next = await nextOf();
      isWhole = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    if (!isWhole) release(content, source);
  }
}

async function inTime<Result>(
  step: () => Promise<Result>,
  { stalled, signal, startLimit = startTimer }: FileLimits,
): Promise<Result> {
  const over = Promise.withResolvers<never>();
  const cancel = startLimit(SILENCE_MS_MAX, () => over.reject(stalled()));
  const stop = (): void => over.reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([step(), over.promise]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', stop);
  }
}

function release(content: AsyncIterable<Uint8Array>, source: AsyncIterator<Uint8Array>): void {
  // Destroying a request would close its connection before anybody answers why.
  if (content instanceof Readable) return;
  // Nobody waits for it: a generator that is silent ends only when its own wait ends.
  source.return?.().catch(() => undefined);
}

function startTimer(ms: number, onOver: () => void): () => void {
  const timer = setTimeout(onOver, ms);
  return () => clearTimeout(timer);
}
