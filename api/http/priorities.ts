/**
 * Priorities of the API's threads. The main thread comes first, because its calls are short. Only
 * Linux has priorities of threads.
 */
import { readdir } from 'node:fs/promises';
import { setPriority } from 'node:os';

export const LOWER_NICE = 10;
const THIS_THREAD = 0;

/** For the thread of heavy calls. */
export function lowerThisThread(): void {
  if (process.platform === 'linux') lower(THIS_THREAD);
}

/** The main thread lowers all others: they hash passwords, compress and collect garbage. */
export async function lowerOtherThreads(): Promise<void> {
  if (process.platform !== 'linux') return;
  // Reading the folder starts Node's pool of threads, if nothing has before.
  for (const thread of (await readdir('/proc/self/task')).map(Number)) {
    if (thread !== process.pid) lower(thread);
  }
}

function lower(thread: number): void {
  try {
    setPriority(thread, LOWER_NICE);
  } catch {
    // It has ended meanwhile, or the whole process runs at a lower priority.
  }
}
