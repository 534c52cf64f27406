/** Maps the errors of an activity's operation. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { sqlStateOf } from '../db/connection/faults.ts';
import { DomainError } from '../domain/errors.ts';
import { StorageError } from '../providers/storage/storage.ts';

export type Mistakes = 'nonRetryable' | 'retryable';

/**
 * A retry cannot fix a caller's mistake; it may fix everything else. A workflow that must never end
 * is retried even after a caller's mistake.
 */
export async function mapped<Result>(
  work: () => Promise<Result>,
  mistakes: Mistakes = 'nonRetryable',
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw shownFailureOf(error, mistakes);
  }
}

/** An error that people read in the Web UI has words alone; a bug has its stack. */
function shownFailureOf(error: unknown, mistakes: Mistakes): unknown {
  if (error instanceof DomainError) return inWords(mistakes, error.message, error.code);
  const state = sqlStateOf(error);
  // The texts of database errors may quote a row; a history keeps codes only.
  if (state !== null) return inWords('retryable', `database error ${state}`, state);
  // Those of a storage may name its folders and buckets.
  if (error instanceof StorageError) {
    return inWords('retryable', error.message, `storage.${error.kind}`);
  }
  return error;
}

/** Without a stack, which would name files of the server. */
function inWords(mistakes: Mistakes, message: string, code: string): ApplicationFailure {
  const failure = ApplicationFailure[mistakes](message, code);
  failure.stack = '';
  return failure;
}

/* Heartbeats of activities that take long. */

/** How often the heartbeats of a long activity are sent. */
export const PULSE_MS = 1_000;

interface Beat {
  /** @param reached how far the work is, which its heartbeats carry from now on */
  readonly onProgress: (reached?: number) => void;
  /** Aborted when this worker stops. */
  readonly signal: AbortSignal;
}

/** Work whose parts may take longer than the engine waits: it sends a heartbeat each second. */
export async function beating<Result>(
  work: (own: Beat) => Promise<Result>,
  mistakes?: Mistakes,
): Promise<Result> {
  const context = Context.current();
  let reached: number | undefined;
  const timer = setInterval(() => context.heartbeat(reached), PULSE_MS);
  const own: Beat = {
    onProgress: (next) => {
      reached = next;
    },
    signal: context.cancellationSignal,
  };
  try {
    return await mapped(() => work(own), mistakes);
  } finally {
    clearInterval(timer);
  }
}
