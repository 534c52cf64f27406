/** Retries for a while something that may not be ready yet, for example a server that starts. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  readonly limitSeconds: number;
  readonly pauseMs: number;
  readonly signal?: AbortSignal;
  /** Whether a retry may succeed; by default any failure is retried. */
  readonly mayPass?: (error: unknown) => boolean;
}

/** Throws the last failure when the time is over, or the signal's reason when it is aborted. */
export async function withPatience<Result>(
  attempt: () => Promise<Result>,
  { limitSeconds, pauseMs, signal, mayPass = () => true }: Patience,
): Promise<Result> {
  const giveUpAt = performance.now() + limitSeconds * 1_000;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayPass(error) || performance.now() > giveUpAt) throw error;
    }
    await sleep(pauseMs, undefined, signal && { signal });
  }
}
