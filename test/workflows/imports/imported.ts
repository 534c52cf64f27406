/** Batch jobs of a test's tenant: their files are uploaded and finalized, and their results are read. */
import { createUploadJob } from '../../../operations/imports/create.ts';
import { finalizeBatch, findUploads } from '../../../operations/imports/finalize.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import type { UploadKind } from '../../../domain/imports/batch.ts';
import { chunksOf, resultOf } from '../../operations/imports/files.ts';
import type { Books, Harness } from '../harness.ts';

export const batch = (objectId: number): Nudge => ({ kind: 'batch', objectId });

export function importsIn({ worker }: Harness, { tenantId, work, read, deliver }: Books) {
  const { dependencies } = worker;
  const { storage } = dependencies;
  return {
    async uploaded(kind: UploadKind, text: string, parentId: number | null = null) {
      const parent =
        parentId === null
          ? null
          : { address: { id: parentId }, path: 'parentBatchProcess', value: String(parentId) };
      const job = { kind, jobId: null, inputFilename: null, isValidateOnly: false, parent };
      const id = await work((context) => createUploadJob(context, job));
      await storage.put({ tenantId, batchId: id, kind: 'upload' }, chunksOf(text));
      return id;
    },
    /** Its workflow starts. */
    async finalize(id: number): Promise<void> {
      const uploads = await findUploads(dependencies, tenantId, { id });
      await work((context) => finalizeBatch(context, { id }, uploads));
      await deliver(batch(id));
    },
    async result(id: number): Promise<readonly string[]> {
      return (await resultOf(storage, tenantId, id)).rows;
    },
    async status(id: number): Promise<string> {
      const [row] = await read((tx) =>
        tx.query<{ text: string }>(
          `select concat_ws(' ', status, success_count, fail_count, error_message) as text
           from batch where id = $1`,
          [id],
        ),
      );
      return row?.text ?? 'gone';
    },
  };
}
