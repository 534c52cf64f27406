/** The worker that sends mails, on a queue of its own. */
import { Worker } from '@temporalio/worker';
import { tenantOrigin } from '../operations/hosted-pages/tenant-origin.ts';
import type { PagesHost } from '../operations/hosted-pages/tenant-origin.ts';
import { drawInvoice } from '../providers/invoice-documents/pdf/drawing.ts';
import type { Mailer } from '../providers/mail/mailer.ts';
import { renderApart } from '../providers/mail/render-apart.ts';
import { mailQueue } from '../workflows/contract.ts';
import { createMailActivities } from './activities.ts';
import type { QueueWorkerOptions } from './queue-worker.ts';

/** Tenants whose mails are sent at once; the lanes of all of them share the connections. */
const PASSES_MAX = 4;

export interface MailWorkerOptions extends QueueWorkerOptions {
  readonly mailer: Mailer;
  readonly host: string;
  readonly pages: PagesHost;
}

export function createMailWorker(options: MailWorkerOptions): Promise<Worker> {
  const { dependencies, mailer, host, pages, taskQueue, ...shared } = options;
  return Worker.create({
    ...shared,
    taskQueue: mailQueue(taskQueue),
    activities: createMailActivities(dependencies, {
      mailer,
      host,
      originOf: (label) => tenantOrigin(pages, label),
      render: renderApart,
      drawInvoice,
    }),
    maxConcurrentActivityTaskExecutions: PASSES_MAX,
    maxConcurrentActivityTaskPolls: 2,
  });
}
