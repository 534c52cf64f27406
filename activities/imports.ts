/** The activities of batch jobs, of the passwords that they leave, and of reports, on queues of their own. */
import { customerRows, invoiceRows, lineRows } from '../api/resources/imports/rows.ts';
import { type CarryOverProgress, carryOver } from '../operations/imports/carry-over.ts';
import type { RowReaders } from '../operations/imports/chunk.ts';
import {
  type ImportDependencies,
  type SliceProgress,
  importSlice,
} from '../operations/imports/slice.ts';
import { type FinishedImport, finishImport } from '../operations/imports/finish.ts';
import {
  type PasswordProgress,
  hashPasswords,
  passwordContext,
} from '../operations/imports/passwords.ts';
import { type PreparedImport, isLost, prepareImport } from '../operations/imports/prepare.ts';
import { cancelImport, noteResumed, loseFile } from '../operations/imports/steer.ts';
import { callNextJob, jobBefore } from '../operations/imports/finalize.ts';
import { writeReport, type WrittenReport } from '../operations/ledger/report-job.ts';
import type { Dependencies } from '../operations/context/context.ts';
import type { Dispatcher } from '../operations/outbox/dispatch-after-commit.ts';
import type { Vault } from '../providers/vault.ts';
import type { TenantInput } from '../workflows/contract/contract.ts';
import type { HashProcess } from './hash-apart.ts';
import { beating, mapped } from './mapped.ts';

export interface BatchStep extends TenantInput {
  readonly batchId: string;
}

export interface SteeringInput extends BatchStep {
  readonly reason: string;
  readonly by?: string | undefined;
}

export interface ImportOptions {
  readonly vault: Pick<Vault, 'seal'>;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
}

export type ImportActivities = ReturnType<typeof createImportActivities>;
export type SteeringActivities = ReturnType<typeof createSteeringActivities>;
export type ReportActivities = ReturnType<typeof createReportActivities>;
export type PasswordActivities = ReturnType<typeof createPasswordActivities>;

const readers: RowReaders = { customers: customerRows, invoices: invoiceRows, lines: lineRows };
/** As long as a slice of rows. */
const SLICE_MS = 10_000;

export function createImportActivities(
  dependencies: ImportDependencies,
  { vault, dispatch }: ImportOptions,
) {
  const optionsOf = ({ tenantId }: TenantInput) => ({
    dependencies,
    readers,
    tenantId: Number(tenantId),
    seal: (password: string, ofTenant: number, contactId: number) =>
      vault.seal(password, passwordContext(ofTenant, contactId)),
  });
  const next = ({ tenantId, batchId }: BatchStep): Promise<void> => {
    const ended = { tenantId: Number(tenantId), jobId: Number(batchId) };
    return callNextJob(dependencies, ended, { dispatch });
  };
  return {
    prepareImport: (input: BatchStep): Promise<PreparedImport | WaitingImport | null> =>
      beating(async (hooks) => {
        const [tenantId, jobId] = [Number(input.tenantId), Number(input.batchId)];
        const waitsFor = await jobBefore(dependencies, tenantId, jobId);
        return waitsFor === null
          ? await prepareImport(optionsOf(input), jobId, hooks)
          : { waitsFor };
      }),

    importSlice: (input: BatchStep): Promise<SliceProgress | null> =>
      beating(async (hooks) => {
        try {
          return await importSlice(optionsOf(input), Number(input.batchId), hooks);
        } catch (error) {
          if (!isLost(error)) throw error;
          await loseFile(dependencies, Number(input.tenantId), Number(input.batchId));
          return null;
        }
      }),

    carryOver: ({ tenantId, batchId }: BatchStep): Promise<CarryOverProgress> =>
      beating(async ({ onProgress, signal }) => {
        const until = performance.now() + SLICE_MS;
        for (;;) {
          const step = { batchId: Number(batchId) };
          const progress = await carryOver(dependencies, Number(tenantId), step, { dispatch });
          onProgress(progress.customersDone);
          if (progress.isDone) await next({ tenantId, batchId });
          if (progress.isDone || signal.aborted || performance.now() > until) return progress;
        }
      }),

    finishImport: (input: BatchStep): Promise<FinishedImport> =>
      beating(async (hooks) => {
        const finished = await finishImport(optionsOf(input), Number(input.batchId), hooks);
        await next(input);
        return finished;
      }),
  };
}

/** Another job of the tenant was finalized before. */
export interface WaitingImport {
  /** The id of the job whose turn it is. */
  readonly waitsFor: number;
}

/** What people ask of a job; it does not wait behind the slices of others. */
export function createSteeringActivities(dependencies: Dependencies) {
  return {
    cancelImport: ({ tenantId, batchId, ...given }: SteeringInput): Promise<void> =>
      mapped(() => cancelImport(dependencies, Number(tenantId), Number(batchId), given)),

    noteResumed: ({
      tenantId,
      batchId,
      ...given
    }: SteeringInput & { readonly requestId: string }): Promise<void> =>
      mapped(() => noteResumed(dependencies, Number(tenantId), Number(batchId), given)),
  };
}

export function createReportActivities(dependencies: ImportDependencies) {
  return {
    writeReport: ({ tenantId, batchId }: BatchStep): Promise<WrittenReport | null> =>
      beating((hooks) => writeReport(dependencies, Number(tenantId), Number(batchId), hooks)),
  };
}

export function createPasswordActivities(
  dependencies: Dependencies,
  { vault, hashing }: { readonly vault: Pick<Vault, 'open'>; readonly hashing: HashProcess },
) {
  return {
    hashPasswords: ({ tenantId }: TenantInput): Promise<PasswordProgress> =>
      beating((own) =>
        hashPasswords(dependencies, Number(tenantId), {
          open: (sealed, ofTenant, contactId) =>
            vault.open(sealed, passwordContext(ofTenant, contactId)),
          hash: hashing.hash,
          ...own,
        }),
      ),
  };
}
