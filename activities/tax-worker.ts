/** The worker that records invoices at tax providers, on a queue of its own. */
import { Worker } from '@temporalio/worker';
import { taxQueue } from '../workflows/contract.ts';
import { createTaxActivities } from './activities.ts';
import type { QueueWorkerOptions } from './queue-worker.ts';

/** Tenants whose invoices are recorded at once. */
const PASSES_MAX = 4;

export function createTaxWorker({
  dependencies,
  taskQueue,
  ...shared
}: QueueWorkerOptions): Promise<Worker> {
  return Worker.create({
    ...shared,
    taskQueue: taxQueue(taskQueue),
    activities: createTaxActivities(dependencies),
    maxConcurrentActivityTaskExecutions: PASSES_MAX,
    maxConcurrentActivityTaskPolls: 2,
  });
}
