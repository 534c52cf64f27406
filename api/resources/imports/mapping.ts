/** Batch jobs between their documents and the operations. */
import {
  batchKinds,
  isFinished,
  successMessage,
  takesUpload,
  type BatchKind,
} from '../../../domain/imports/batch.ts';
import type { BatchView } from '../../../operations/imports/read.ts';
import type { BatchDocument, CarriedDocument, LineJobDocument } from './schema.ts';

/** The addresses of the files of a job, by the id of the job. */
export type FileAddresses = ReadonlyMap<number, string>;

const none: FileAddresses = new Map();

/** The version becomes the ETag of the answer. */
type VersionedDocument = BatchDocument & Pick<BatchView, 'version'>;

/** @param addresses of the jobs whose files can be uploaded or downloaded now */
export function batchDocument(view: BatchView, addresses: FileAddresses = none): VersionedDocument {
  const { version } = view;
  return { ...jobDocument(view, addresses), child: childOf(view, addresses), version };
}

function jobDocument(view: BatchView, addresses: FileAddresses): LineJobDocument {
  const { id, jobId, status, kind, parent, inputFilename, errorMessage, progress } = view;
  const { successCount, failCount } = view;
  const address = addresses.get(id) ?? null;
  return {
    id,
    jobId,
    status,
    operation: batchKinds[kind].operation,
    subOperation: view.reportName ?? batchKinds[kind].subOperation,
    inputType: takesUpload(kind) ? 'API' : null,
    inputFilename,
    parentBatchProcess: parent === null ? null : String(parent.id),
    parentBatchProcessJobId: parent?.jobId ?? null,
    successCount,
    failCount,
    successMessage: messageOf(view),
    errorMessage,
    uploadUrl: status === 'Draft' ? address : null,
    downloadUrl: view.hasResult ? address : null,
    progress,
    child: null,
  };
}

const messageOf = (view: BatchView): string | null =>
  isFinished(view.status) ? successMessage(view) : null;

function childOf({ kind, children }: BatchView, addresses: FileAddresses): BatchDocument['child'] {
  if (kind === 'init') {
    const carried = (each: BatchKind): CarriedDocument | null => {
      const child = children.find((one) => one.kind === each);
      return child === undefined ? null : carriedDocument(child);
    };
    return {
      carryForwardInvoice: carried('carriedInvoices'),
      carryForwardCreditMemo: carried('carriedCredits'),
      carryForwardDebitMemo: carried('carriedDebits'),
    };
  }
  if (children.length === 0) return null;
  return { batchProcess: children.map((child) => jobDocument(child, addresses)) };
}

function carriedDocument(view: BatchView): CarriedDocument {
  const { id, jobId, status, kind, successCount, failCount, errorMessage } = view;
  return {
    id,
    jobId,
    status,
    ...batchKinds[kind],
    successCount,
    successMessage: messageOf(view),
    errorMessage,
    failCount,
  };
}
