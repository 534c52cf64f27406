/** Says whether an upload of a job is welcome, and whether it is the one that counts. */
import type { Reader } from '../context/listing.ts';

/** A job that is finalized takes no file. */
export async function isDraft(tx: Reader, batchId: number): Promise<boolean> {
  const [batch] = await tx.query<{ status: string }>(
    'select status from batch where id = $1',
    [batchId],
    'status-of-batch',
  );
  return batch?.status === 'Draft';
}

/** Whether the job was finalized with another file than the one of this ETag. */
export async function isOtherUpload(tx: Reader, batchId: number, etag: string): Promise<boolean> {
  const [batch] = await tx.query<{ isOther: boolean }>(
    `select status <> 'Draft' and upload_etag is distinct from $2 as is_other
     from batch where id = $1`,
    [batchId, etag],
    'is-other-upload',
  );
  return batch?.isOther ?? true;
}
