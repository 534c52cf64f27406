/** The activities of callbacks, and the worker with a task queue of its own that runs them. */
import { Worker } from '@temporalio/worker';
import { eventXml } from '../api/resources/callbacks/documents.ts';
import { deliverCallbacks } from '../operations/callbacks/deliver.ts';
import { resumeCallbacks } from '../operations/callbacks/resume.ts';
import type { CallbackOptions } from '../operations/callbacks/sender.ts';
import type { Dependencies } from '../operations/context/context.ts';
import { readEventViews, viewOfDocument } from '../operations/feed/event-views.ts';
import { openLine } from '../providers/callbacks/post.ts';
import { createVault } from '../providers/vault.ts';
import {
  callbackQueue,
  type TenantInput,
  type CallbackProgress,
  type CallbacksResumed,
} from '../workflows/contract.ts';
import { pulse, requestIdOf } from './activities.ts';
import { mapped } from './mapped.ts';
import type { QueueWorkerOptions } from './workers.ts';

/** @see CallbacksInput */
export interface EndpointInput extends TenantInput {
  readonly endpointId: string;
}

export type CallbackActivities = ReturnType<typeof createCallbackActivities>;

/** The endpoints that a process sends to at once; an endpoint that is slow mostly waits. */
const ENDPOINTS_AT_ONCE_MAX = 200;
const POLLS_MAX = 4;

export function createCallbackActivities(dependencies: Dependencies, options: CallbackOptions) {
  return {
    deliverCallbacks: (input: EndpointInput): Promise<CallbackProgress> =>
      mapped(() =>
        deliverCallbacks(dependencies, Number(input.tenantId), options, {
          endpointId: Number(input.endpointId),
          ...pulse(),
        }),
      ),

    resumeCallbacks: (
      input: EndpointInput & { readonly reason: string; readonly requestId?: string },
    ): Promise<CallbacksResumed> =>
      mapped(() =>
        resumeCallbacks(dependencies, Number(input.tenantId), {
          endpointId: Number(input.endpointId),
          reason: input.reason,
          requestId: requestIdOf(input),
        }),
      ),
  };
}

export interface CallbackWorkerOptions extends QueueWorkerOptions {
  readonly secretKey: string;
  readonly allowPrivate: boolean;
}

export function createCallbackWorker(options: CallbackWorkerOptions): Promise<Worker> {
  const { dependencies, secretKey, allowPrivate, taskQueue, ...shared } = options;
  return Worker.create({
    ...shared,
    taskQueue: callbackQueue(taskQueue),
    activities: createCallbackActivities(dependencies, {
      vault: createVault(secretKey),
      xmlOf: eventXml,
      readViews: readEventViews,
      viewOfDocument,
      openLine,
      allowPrivate,
    }),
    maxConcurrentActivityTaskExecutions: ENDPOINTS_AT_ONCE_MAX,
    maxConcurrentActivityTaskPolls: POLLS_MAX,
  });
}
