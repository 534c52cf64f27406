/** Says at the start of a process where files are, and whether they can be stored. */
import type { FileStorage } from './storage.ts';

interface Log {
  readonly info: (facts: object, text: string) => void;
  readonly error: (facts: object, text: string) => void;
}

/** A storage that fails now may work later, and other work does not need it: the process goes on. */
export async function tellStorage(
  { place, check }: Pick<FileStorage, 'place' | 'check'>,
  log: Log,
): Promise<void> {
  const code = await check();
  if (code === null) log.info({ place }, 'where files are');
  else log.error({ place, code }, 'files cannot be stored');
}
