/** The activity proxies of batch jobs and of imported passwords, with every time limit and retry. */
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type {
  ImportActivities,
  PasswordActivities,
  SteeringActivities,
} from '../activities/imports.ts';
import { retry } from './activities.ts';
import { importQueue, passwordQueue } from './contract-imports.ts';
import type { TenantInput } from './contract.ts';
import { summaryOf } from './story.ts';

export type PreparedImport = Extract<
  Awaited<ReturnType<ImportActivities['prepareImport']>>,
  { readonly kind: unknown }
>;
export type SliceProgress = NonNullable<Awaited<ReturnType<ImportActivities['importSlice']>>>;
export type CarryProgress = Awaited<ReturnType<ImportActivities['carryOver']>>;
export type FinishedImport = Awaited<ReturnType<ImportActivities['finishImport']>>;
export type PasswordProgress = Awaited<ReturnType<PasswordActivities['hashPasswords']>>;

/** @param what what the history shows beside the activity */
export function importActivities(what: string): ImportActivities {
  return proxyActivities<ImportActivities>({
    taskQueue: importQueue(workflowInfo().taskQueue),
    summary: summaryOf(what),
    startToCloseTimeout: '2 hours',
    heartbeatTimeout: '10 seconds',
    // What fails for an hour needs a person, for whom the job then waits.
    retry: { ...retry, maximumAttempts: 60 },
  });
}

/** What a person asks for: the history shows it with its outcome. */
export function steeringActivities(): SteeringActivities {
  return proxyActivities<SteeringActivities>({ startToCloseTimeout: '45 seconds', retry });
}

/** Some seconds of hashing the tenant's imported passwords. */
export function hashPasswords(input: TenantInput): Promise<PasswordProgress> {
  const { hashPasswords: hash } = proxyActivities<PasswordActivities>({
    taskQueue: passwordQueue(workflowInfo().taskQueue),
    summary: 'hashes imported passwords',
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '10 seconds',
    retry,
  });
  return hash(input);
}
