/** Batch jobs: BatchInit, uploads of files, finalizing, reading. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { uploadKinds } from '../../../domain/imports/batch.ts';
import { type BatchAddress, unknownBatch } from '../../../operations/context/batch-lock.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import { createCarryOver } from '../../../operations/imports/carry-over-create.ts';
import {
  type UploadJob,
  type UploadParent,
  createUploadJob,
} from '../../../operations/imports/create.ts';
import { finalizeBatch, findUploads } from '../../../operations/imports/finalize.ts';
import { type BatchView, readBatch } from '../../../operations/imports/read.ts';
import { withdrawBatch } from '../../../operations/imports/steer.ts';
import type { Continuing } from '../../calls/continuing.ts';
import { badRequest } from '../../calls/errors.ts';
import { objectId } from '../../calls/queries.ts';
import { type Route, route, writeRoute } from '../../calls/route.ts';
import { type RouteDependencies, reading } from '../../calls/services.ts';
import { statusCodec } from '../../calls/status-schema.ts';
import { ID_MAX, text } from '../../xml/types.ts';
import { type FileAddresses, batchDocument } from './mapping.ts';
import {
  type BatchDocument,
  type FinalizeRequest,
  JOB_ID_LENGTH_MAX,
  type UploadRequest,
  batchCodec,
  finalizeRequest,
  initRequest,
  uploadRequest,
} from './schema.ts';
import type { FileKind } from '../../../providers/storage/storage.ts';
import { tenantAddress } from '../../calls/tenant-address.ts';

const path = '/batchProcess';
const byAddress = z.object({
  id: objectId().optional(),
  jobId: text(JOB_ID_LENGTH_MAX).optional(),
});

export function batchRoutes(dependencies: RouteDependencies): Route[] {
  return [
    initRoute(dependencies),
    uploadRoute(dependencies),
    finalizeRoute(dependencies),
    readRoute(dependencies),
    withdrawRoute(dependencies),
  ];
}

function initRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'POST',
    path,
    modes: ['BatchInit'],
    summary: 'Carry over the invoices, credits and debits of the tenant',
    audited: 'batchProcess',
    right: 'write',
    status: 201,
    request: initRequest,
    response: batchCodec,
    continues: {
      ...continuing(dependencies, 201),
      wait: (tenant, { id }) => untilEnded(dependencies, tenant, id),
    },
    handler: ({ body, write }) =>
      write(async (context) => {
        const id = await createCarryOver(context, {
          jobId: body.jobId ?? null,
          carryForwardInvoices: body.carryForwardInvoices ?? false,
          carryForwardCreditMemos: body.carryForwardCreditMemos ?? false,
          carryForwardDebitMemos: body.carryForwardDebitMemos ?? false,
          zeroOutCustomerBalance: body.zeroOutCustomerBalance ?? false,
        });
        return batchDocument(await readBatch(dependencies, context.finalQuery, { id }));
      }),
  });
}

function uploadRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'POST',
    path,
    modes: ['StorageFileUpload'],
    summary: 'Make a job, and get the address to which its file is uploaded',
    audited: 'batchProcess',
    right: 'write',
    status: 201,
    request: uploadRequest,
    response: batchCodec,
    continues: { ...continuing(dependencies, 201), wait: () => Promise.resolve(true) },
    handler: ({ body, write }) =>
      write(async (context) => {
        const id = await createUploadJob(context, uploadJob(body));
        return batchDocument(await readBatch(dependencies, context.finalQuery, { id }));
      }),
  });
}

function finalizeRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'PUT',
    path,
    modes: ['BatchFinalize'],
    summary: 'Process the uploaded file of a job, and of the jobs of its line items',
    audited: 'batchProcess',
    right: 'write',
    request: finalizeRequest,
    response: batchCodec,
    asksElsewhere: true,
    changes: ({ body }) => ({ kind: 'batch', address: addressIn(body) }),
    continues: {
      ...continuing(dependencies, 200),
      wait: (_, { status }) => Promise.resolve(status !== 'Queued'),
    },
    async handler({ tenant, body, write }) {
      const address = addressIn(body);
      const uploads = await findUploads(dependencies, tenant.id, address);
      return write(async (context) => {
        const id = await finalizeBatch(context, address, uploads);
        return batchDocument(await readBatch(dependencies, context.finalQuery, { id }));
      });
    },
  });
}

function readRoute(dependencies: RouteDependencies): Route {
  return route({
    method: 'GET',
    path,
    summary: 'A job: its status, its progress, and the address of its result',
    right: 'read',
    query: byAddress,
    response: batchCodec,
    async handler({ tenant, query }) {
      const address = addressAsked(query);
      const view = await reading(dependencies, tenant, (tx) =>
        readBatch(dependencies, tx, address),
      );
      return batchDocument(view, await fileAddresses(dependencies, tenant, view));
    },
  });
}

function withdrawRoute(dependencies: RouteDependencies): Route {
  return writeRoute(dependencies, {
    method: 'DELETE',
    path,
    summary: 'Withdraw a Draft, with its file and the jobs of its line items',
    audited: 'batchProcess',
    right: 'write',
    query: byAddress,
    response: statusCodec,
    changes: ({ query }) => ({ kind: 'batch', address: addressAsked(query) }),
    handler: ({ query, write }) =>
      write(async (context) => {
        await withdrawBatch(context, addressAsked(query), dependencies.storage);
        return { success: true, message: 'The job is withdrawn' };
      }),
  });
}

/**
 * The addresses of files are signed after the commit: an answer that is kept for a repeated request
 * holds none, and each answer has new ones.
 */
export function continuing(
  dependencies: RouteDependencies,
  status: number,
): Omit<Continuing<BatchDocument>, 'wait'> {
  return {
    pendingStatus: status,
    statusOf: () => status,
    idOf: ({ id }) => id,
    async read(tx, tenant, id) {
      const view = await readBatch(dependencies, tx, { id });
      return batchDocument(view, await fileAddresses(dependencies, tenant, view));
    },
  };
}

const LOOK_AGAIN_MS = 100;

/** Waits until the job has ended, or the time is up. Always true: its state may be another one. */
async function untilEnded(
  dependencies: RouteDependencies,
  tenant: TenantInfo,
  id: number,
): Promise<boolean> {
  const until = performance.now() + dependencies.paymentWaitSeconds * 1_000;
  while (performance.now() < until) {
    // It is stored, so the caller gets its answer whatever fails from now on.
    const batch = await reading(dependencies, tenant, (tx) =>
      readBatch(dependencies, tx, { id }),
    ).catch(() => undefined);
    if (batch !== undefined && batch.status !== 'Queued') return true;
    await sleep(LOOK_AGAIN_MS);
  }
  return true;
}

interface Named {
  readonly id?: number | null | undefined;
  readonly jobId?: string | null | undefined;
}

/** Undefined if neither is given; an empty one counts as none. */
function addressOf({ id, jobId }: Named): BatchAddress | undefined {
  const job = jobId === null || jobId === '' ? undefined : jobId;
  if (id !== undefined && id !== null) return { id, jobId: job };
  return job === undefined ? undefined : { jobId: job };
}

function addressAsked(query: z.output<typeof byAddress>): BatchAddress {
  const address = addressOf(query);
  if (address !== undefined) return address;
  throw badRequest('query.required', 'id or jobId is required', 'id');
}

function addressIn(body: FinalizeRequest): BatchAddress {
  const address = addressOf(body);
  if (address !== undefined) return address;
  throw badRequest('field.required', 'id or jobId is required', 'batchProcess/id');
}

function uploadJob(body: UploadRequest): UploadJob {
  return {
    kind: uploadKinds[body.subOperation],
    jobId: body.jobId ?? null,
    inputFilename: body.inputFilename ?? null,
    isValidateOnly: body.validateOnly ?? false,
    parent: parentIn(body),
  };
}

function parentIn(body: UploadRequest): UploadParent | null {
  const id = body.parentBatchProcess ?? null;
  const jobId = body.parentBatchProcessJobId ?? null;
  if (id === null && jobId === null) return null;
  const address = addressOf({ id: id === null ? null : parentId(id), jobId }) ?? { jobId: '' };
  const element = id === null ? 'parentBatchProcessJobId' : 'parentBatchProcess';
  return { address, path: `batchProcess/${element}`, value: id ?? jobId ?? '' };
}

/** The element holds text; what is no id is the id of nothing. */
function parentId(value: string): number {
  const id = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : 0;
  if (id >= 1 && id <= ID_MAX) return id;
  throw unknownBatch({ jobId: value });
}

/* Signs the addresses of the files of a job, and of the jobs below it. */

/** New ones at each call, of what can be uploaded or downloaded now. */
async function fileAddresses(
  { storage, publicUrl }: Pick<RouteDependencies, 'storage' | 'publicUrl'>,
  { id: tenantId, label }: Pick<TenantInfo, 'id' | 'label'>,
  view: BatchView,
): Promise<FileAddresses> {
  const base = tenantAddress(publicUrl, label);
  const addresses = new Map<number, string>();
  for (const job of [view, ...view.children]) {
    const kind = fileKindOf(job);
    if (kind === null) continue;
    addresses.set(job.id, await storage.address({ tenantId, batchId: job.id, kind }, base));
  }
  return addresses;
}

/** A job that is Queued has an upload that nobody may send or read any more. */
function fileKindOf({ status, hasResult }: BatchView): FileKind | null {
  if (status === 'Draft') return 'upload';
  return hasResult ? 'result' : null;
}
