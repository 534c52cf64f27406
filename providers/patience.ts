/** Tries again for a while what may not be ready yet: a server that starts, or that is being told. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  readonly limitSeconds: number;
  readonly pauseMs: number;
  readonly signal?: AbortSignal;
  /** Whether another try may succeed; any failure may pass by default. */
  readonly mayPass?: (error: unknown) => boolean;
}

/** Throws the last failure when the time is over, the signal's reason when it is aborted. */
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
