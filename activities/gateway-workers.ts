/** The workers that call gateways: one for each, with its own rate limit and queue. */
import { Worker } from '@temporalio/worker';
import { callsPerSecondMax, gatewayNames } from '../providers/gateway/gateway.ts';
import type { GatewayName, Gateways } from '../providers/gateway/gateway.ts';
import { gatewayQueue } from '../workflows/contract.ts';
import { createGatewayActivities } from './activities.ts';
import type { ActivityOptions } from './activities.ts';
import type { QueueWorkerOptions } from './queue-worker.ts';

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
