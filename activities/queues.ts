/**
 * The task queues beside that of the workflows, one row each: what is slow there delays nothing
 * else, and has a limit of its own. Each has a worker in every worker process.
 */
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { eventXml } from '../api/resources/callbacks/documents.ts';
import { readEventViews, viewOfDocument } from '../operations/feed/event-views.ts';
import { tenantOrigin, type PagesHost } from '../operations/hosted-pages/tenant-origin.ts';
import type { ImportDependencies } from '../operations/imports/slice.ts';
import type { Dispatcher } from '../operations/outbox/dispatch-after-commit.ts';
import { openLine } from '../providers/callbacks/post.ts';
import { gatewayNames, gatewayTable, type Gateways } from '../providers/gateway/gateway.ts';
import { drawInvoice } from '../providers/invoice-documents/pdf/drawing.ts';
import type { Mailer } from '../providers/mail/mailer.ts';
import { renderApart } from '../providers/mail/render-apart.ts';
import type { Vault } from '../providers/vault.ts';
import { ownQueue, type OwnQueue } from '../workflows/contract/contract.ts';
import {
  createBillingActivities,
  createGatewayActivities,
  createMailActivities,
  createTaxActivities,
} from './activities.ts';
import { createCallbackActivities } from './callbacks.ts';
import type { HashProcess } from './hash-apart.ts';
import {
  createImportActivities,
  createPasswordActivities,
  createReportActivities,
} from './imports.ts';

export interface QueueOptions {
  readonly dependencies: ImportDependencies;
  readonly dispatch: Dispatcher['dispatch'];
  /** Batches that a lane processes at once. */
  readonly billingLanes: number;
  readonly gateways: Gateways;
  readonly vault: Vault;
  readonly mail: { readonly mailer: Mailer; readonly host: string; readonly pages: PagesHost };
  /** Callbacks also go to addresses that are not public. */
  readonly allowPrivate: boolean;
  readonly hashing: HashProcess;
}

interface QueueRow {
  readonly activities: object;
  /** The most that a process runs at once. */
  readonly atOnce: number;
  readonly polls?: number;
  readonly more?: Partial<WorkerOptions>;
}

/** After this time the engine shows the step of a slow call. */
const STEP_SHOWN_AFTER = '1 second';
const POLLS_DEFAULT = 2;

function queueRows(options: QueueOptions): Readonly<Record<OwnQueue, QueueRow>> {
  const { dependencies, dispatch, vault, hashing, mail, allowPrivate } = options;
  return {
    ...gatewayRows(options),
    // Lanes of the runs of large tenants, beside the slices of all others.
    billing: { activities: createBillingActivities(dependencies, options), atOnce: 2 },
    // An endpoint that is slow mostly waits.
    callbacks: {
      activities: createCallbackActivities(dependencies, {
        vault,
        xmlOf: eventXml,
        readViews: readEventViews,
        viewOfDocument,
        openLine,
        allowPrivate,
      }),
      atOnce: 200,
      polls: 4,
    },
    // Tenants whose mails are sent at once; the lanes of all of them share the connections.
    mail: {
      activities: createMailActivities(dependencies, {
        mailer: mail.mailer,
        host: mail.host,
        originOf: (label) => tenantOrigin(mail.pages, label),
        render: renderApart,
        drawInvoice,
      }),
      atOnce: 4,
    },
    // Tenants whose invoices are recorded at once.
    taxes: { activities: createTaxActivities(dependencies), atOnce: 4 },
    // Jobs that are imported at once; others wait for their slices.
    imports: { activities: createImportActivities(dependencies, { vault, dispatch }), atOnce: 2 },
    // Each keeps a connection and a snapshot of the database for as long as it reads.
    reports: { activities: createReportActivities(dependencies), atOnce: 2 },
    // Tenants whose passwords are hashed in turns, by one process.
    passwords: {
      activities: createPasswordActivities(dependencies, { vault, hashing }),
      atOnce: 2,
    },
  };
}

function gatewayRows({
  dependencies,
  gateways,
  dispatch,
}: QueueOptions): Readonly<Record<`gateway-${string}`, QueueRow>> {
  return Object.fromEntries(
    gatewayNames.map((gateway) => {
      const { callsPerSecondMax: rate, paymentsAtOnceMax: atOnce } = gatewayTable[gateway];
      const more = {
        maxHeartbeatThrottleInterval: STEP_SHOWN_AFTER,
        ...(rate === null ? {} : { maxTaskQueueActivitiesPerSecond: rate }),
      } as const;
      const activities = createGatewayActivities(dependencies, gateways, { gateway, dispatch });
      return [`gateway-${gateway}`, { activities, atOnce, polls: 4, more }];
    }),
  );
}

/** @param shared what they have in common with the worker of the workflows, whose queue they are named after */
export function createQueueWorkers(
  shared: WorkerOptions,
  options: QueueOptions,
): Promise<Worker[]> {
  return Promise.all(
    Object.entries(queueRows(options)).map(
      ([queue, { activities, atOnce, polls = POLLS_DEFAULT, more }]) =>
        Worker.create({
          ...shared,
          ...more,
          taskQueue: ownQueue(shared.taskQueue, queue as OwnQueue),
          activities,
          maxConcurrentActivityTaskExecutions: atOnce,
          maxConcurrentActivityTaskPolls: polls,
        }),
    ),
  );
}
