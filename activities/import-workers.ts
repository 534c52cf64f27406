/** The workers of batch jobs and of the passwords that they leave, each on a queue of its own. */
import { Worker } from '@temporalio/worker';
import type { HashCost } from '../operations/access/passwords.ts';
import type { ImportDependencies } from '../operations/imports/dependencies.ts';
import type { Dispatcher } from '../operations/outbox/dispatch-after-commit.ts';
import { createVault } from '../providers/vault.ts';
import { importQueue, passwordQueue } from '../workflows/contract-imports.ts';
import { startHashProcess } from './hash-apart.ts';
import { createImportActivities, createPasswordActivities } from './imports.ts';
import type { QueueWorkerOptions } from './queue-worker.ts';

/** Jobs that are imported at once; others wait for their slices. */
const IMPORTS_MAX = 2;
/** Tenants whose passwords are hashed in turns, by one process. */
const HASHINGS_MAX = 2;

export interface ImportWorkerOptions extends QueueWorkerOptions {
  readonly dependencies: ImportDependencies;
  readonly dispatch: Dispatcher['dispatch'];
  readonly secretKey: string;
  /** Of the hashes of imported passwords; by default that of all. */
  readonly hashCost?: HashCost | undefined;
}

export interface ImportWorkers {
  readonly workers: readonly Worker[];
  /** Ends the process that hashes. */
  readonly stop: () => void;
}

export async function createImportWorkers(options: ImportWorkerOptions): Promise<ImportWorkers> {
  const { dependencies, dispatch, taskQueue, secretKey, hashCost, ...shared } = options;
  const vault = createVault(secretKey);
  const hashing = startHashProcess(hashCost);
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: importQueue(taskQueue),
      activities: createImportActivities(dependencies, { vault, dispatch }),
      maxConcurrentActivityTaskExecutions: IMPORTS_MAX,
      maxConcurrentActivityTaskPolls: 2,
    }),
    Worker.create({
      ...shared,
      taskQueue: passwordQueue(taskQueue),
      activities: createPasswordActivities(dependencies, { vault, hashing }),
      maxConcurrentActivityTaskExecutions: HASHINGS_MAX,
      maxConcurrentActivityTaskPolls: 2,
    }),
  ]);
  return { workers, stop: hashing.stop };
}
