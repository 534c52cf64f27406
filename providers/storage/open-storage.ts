/** Chooses where files are stored: in a folder, or in a bucket, as STORAGE_URL says. */
import type { Config } from '../../config.ts';
import { folderStorage, type FolderOptions } from './folder.ts';
import { s3Location } from './s3/location.ts';
import { type FileStorage, StorageError } from './storage.ts';

export async function openStorage(
  { storageUrl }: Pick<Config, 'storageUrl'>,
  options: FolderOptions,
): Promise<FileStorage> {
  if (!storageUrl.startsWith('s3:')) return folderStorage(storageUrl, options);
  // The SDK takes 58 MB and 0.25 s, which processes that use a folder keep.
  const { s3Storage } = await import('./s3/s3.ts');
  const { realNow, startLimit } = options;
  return s3Storage(s3Location(storageUrl), { realNow, ...(startLimit && { startLimit }) });
}

/* Says at the start of a process where files are, and whether they can be stored. */

interface Log {
  readonly info: (facts: object, text: string) => void;
  readonly error: (facts: object, text: string) => void;
}

/** A storage that fails now may work later, and other work does not need it: the process goes on. */
export async function logStorage(
  { place, check }: Pick<FileStorage, 'place' | 'check'>,
  log: Log,
): Promise<void> {
  const code = await check();
  if (code === null) log.info({ place }, 'where files are');
  else log.error({ place, code }, 'files cannot be stored');
}

/* The storage of processes whose calls use no files: each use fails. */

const fail = (): Promise<never> => Promise.reject(new StorageError('failed', 'no_storage'));

export const noStorage: FileStorage = {
  place: 'nowhere',
  check: () => Promise.resolve('no_storage'),
  put: fail,
  get: fail,
  head: fail,
  // oxlint-disable-next-line require-yield -- it fails before
  list: async function* () {
    await fail();
  },
  delete: fail,
  address: fail,
  verify: null,
};
