/** The worker that records invoices at tax providers, on a queue of its own. */
import { Worker } from '@temporalio/worker';
import type { NativeConnection } from '@temporalio/worker';
import type { Dependencies } from '../operations/context/context.ts';
import { taxQueue } from '../workflows/contract.ts';
import { createTaxActivities } from './activities.ts';

/** Tenants whose invoices are recorded at once. */
const PASSES_MAX = 4;

export interface TaxWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** The workflows' queue; the queue of tax records is named after it. */
  readonly taskQueue: string;
  readonly identity: string;
  readonly shutdownForceTime: string;
  readonly dependencies: Dependencies;
}

export function createTaxWorker({
  dependencies,
  taskQueue,
  ...shared
}: TaxWorkerOptions): Promise<Worker> {
  return Worker.create({
    ...shared,
    taskQueue: taxQueue(taskQueue),
    activities: createTaxActivities(dependencies),
    maxConcurrentActivityTaskExecutions: PASSES_MAX,
    maxConcurrentActivityTaskPolls: 2,
  });
}
