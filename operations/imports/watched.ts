/** Watches the bytes of a file that is read or written to its end. */
import type { SliceHooks } from './slice.ts';

/** The bytes, with the calls that a long reading or writing owes. */
export async function* watched(
  bytes: AsyncIterable<Uint8Array>,
  { onProgress, signal }: SliceHooks,
): AsyncGenerator<Uint8Array, undefined> {
  let offset = 0;
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    offset += chunk.length;
    onProgress(offset);
    yield chunk;
  }
}
