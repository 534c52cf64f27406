/** Delivers an answer of the sandbox at once, late, or never. */
import { GatewayError } from '../gateway.ts';
import type { Entry } from './rows.ts';
import type { Delivery } from './script.ts';

/**
 * Delays the first answer to a key. A repeated call with the key gets the recorded outcome at once.
 */
export async function deliver(
  { pause }: { readonly pause: (ms: number) => Promise<void> },
  { isLost, answerAfterMs }: Delivery,
  { calls }: Entry,
  signal: AbortSignal,
): Promise<void> {
  if (calls > 1) return;
  if (isLost) await aborted(signal);
  if (answerAfterMs > 0) await pause(answerAfterMs);
}

/** Never resolves; rejects when the caller has stopped waiting. */
function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(new GatewayError('unknown', 'timeout'));
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return promise;
}
