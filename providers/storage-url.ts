/** What STORAGE_URL may say: where files are kept, a folder or a bucket of S3. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';

/** The value itself is not repeated: somebody may have put credentials into it. */
export const storageUrl = z
  .string()
  .transform((value) => (/^[a-z][a-z0-9+.-]*:/i.test(value) ? value : resolve(value)))
  .superRefine((value, context) => {
    const mistake = value.startsWith('/') ? folderMistake(value) : bucketMistake(value);
    if (mistake !== undefined) context.addIssue({ code: 'custom', message: mistake });
  });

/** The folder may be yet to be made; what its path goes through may not be a file. */
function folderMistake(path: string): string | undefined {
  if (existsSync(path)) {
    return statSync(path).isDirectory() ? undefined : 'names a file, where it must name a folder';
  }
  return path === dirname(path) ? undefined : folderMistake(dirname(path));
}

/** Names of buckets as S3 has them: 3 to 63 of small letters, digits, points and hyphens. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

function bucketMistake(value: string): string | undefined {
  const url = URL.parse(value);
  if (url?.protocol !== 's3:') return 'must be a folder or s3://bucket/prefix';
  if (url.username !== '' || url.password !== '') return 'must hold no credentials';
  if (url.port !== '' || url.search !== '' || url.hash !== '') return 'must be s3://bucket/prefix';
  return bucketName.test(url.hostname)
    ? undefined
    : 'must name a bucket after s3://, of 3 to 63 small letters, digits, points and hyphens';
}
