/** Chooses where files are stored: in a folder, or in a bucket, as STORAGE_URL says. */
import type { Config } from '../../config.ts';
import { folderStorage } from './folder.ts';
import type { FolderOptions } from './folder.ts';
import { s3Location } from './s3/location.ts';
import type { FileStorage } from './storage.ts';

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
