/**
 * The workers that have a queue of their own: one for each gateway, with its rate limit, those of
 * imports and of the passwords that they leave, of mails, and of records of taxes.
 */
import { type NativeConnection, Worker } from '@temporalio/worker';
import type { HashCost } from '../operations/access/passwords.ts';
import type { Dependencies } from '../operations/context/context.ts';
import { type PagesHost, tenantOrigin } from '../operations/hosted-pages/tenant-origin.ts';
import type { ImportDependencies } from '../operations/imports/slice.ts';
import type { Dispatcher } from '../operations/outbox/dispatch-after-commit.ts';
import {
  type GatewayName,
  type Gateways,
  callsPerSecondMax,
  gatewayNames,
} from '../providers/gateway/gateway.ts';
import { drawInvoice } from '../providers/invoice-documents/pdf/drawing.ts';
import type { Mailer } from '../providers/mail/mailer.ts';
import { renderApart } from '../providers/mail/render-apart.ts';
import { createVault } from '../providers/vault.ts';
import { importQueue, passwordQueue } from '../workflows/contract-imports.ts';
import { gatewayQueue, mailQueue, taxQueue } from '../workflows/contract.ts';
import {
  type ActivityOptions,
  createGatewayActivities,
  createMailActivities,
  createTaxActivities,
} from './activities.ts';
import { startHashProcess } from './hash-apart.ts';
import { createImportActivities, createPasswordActivities } from './imports.ts';

/** Simultaneous payments in one process: they mostly wait for the gateway. */
const PAYMENTS_MAX: Readonly<Record<GatewayName, number>> = { sandbox: 16, stripe: 40 };
const POLLS_MAX = 4;
/** After this time the engine shows the step of a slow call. */
const STEP_SHOWN_AFTER = '1 second';

export interface GatewayWorkersOptions extends QueueWorkerOptions {
  readonly gateways: Gateways;
  readonly dispatch: ActivityOptions['dispatch'];
}

export function createGatewayWorkers(options: GatewayWorkersOptions): Promise<Worker[]> {
  const { dependencies, gateways, dispatch, taskQueue, ...shared } = options;
  return Promise.all(
    gatewayNames.map((gateway) => {
      const rate = callsPerSecondMax[gateway];
      return Worker.create({
        ...shared,
        taskQueue: gatewayQueue(taskQueue, gateway),
        activities: createGatewayActivities(dependencies, gateways, { gateway, dispatch }),
        maxConcurrentActivityTaskExecutions: PAYMENTS_MAX[gateway],
        maxConcurrentActivityTaskPolls: POLLS_MAX,
        maxHeartbeatThrottleInterval: STEP_SHOWN_AFTER,
        ...(rate === null ? {} : { maxTaskQueueActivitiesPerSecond: rate }),
      });
    }),
  );
}

/* The workers of batch jobs and of the passwords that they leave, each on a queue of its own. */

/** Jobs that are imported at once; others wait for their slices. */
const IMPORTS_MAX = 2;
/** Tenants whose passwords are hashed in turns, by one process. */
const HASHINGS_MAX = 2;

interface ImportWorkerOptions extends QueueWorkerOptions {
  readonly dependencies: ImportDependencies;
  readonly dispatch: Dispatcher['dispatch'];
  readonly secretKey: string;
  /** Of the hashes of imported passwords; by default that of all. */
  readonly hashCost?: HashCost | undefined;
}

interface ImportWorkers {
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

/* The worker that sends mails, on a queue of its own. */

/** Tenants whose mails are sent at once; the lanes of all of them share the connections. */
const PASSES_MAX = 4;

interface MailWorkerOptions extends QueueWorkerOptions {
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

/* The worker that records invoices at tax providers, on a queue of its own. */

/** Tenants whose invoices are recorded at once. */
const RECORDINGS_MAX = 4;

export function createTaxWorker({
  dependencies,
  taskQueue,
  ...shared
}: QueueWorkerOptions): Promise<Worker> {
  return Worker.create({
    ...shared,
    taskQueue: taxQueue(taskQueue),
    activities: createTaxActivities(dependencies),
    maxConcurrentActivityTaskExecutions: RECORDINGS_MAX,
    maxConcurrentActivityTaskPolls: 2,
  });
}

/** What the workers have in common that run activities on queues of their own. */
export interface QueueWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** The workflows' queue; the worker's own queue is named after it. */
  readonly taskQueue: string;
  readonly identity: string;
  readonly shutdownForceTime: string;
  readonly dependencies: Dependencies;
}
