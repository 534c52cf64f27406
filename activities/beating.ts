/** Heartbeats of activities that take long. */
import { Context } from '@temporalio/activity';
import { mapped, type Mistakes } from './mapped.ts';

/** How often the heartbeats of a long activity are sent. */
export const PULSE_MS = 1_000;

export interface Beat {
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
