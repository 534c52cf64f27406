/** The workers that call gateways: one for each, so that each has a rate and a queue of its own. */
import { Worker } from '@temporalio/worker';
import type { NativeConnection } from '@temporalio/worker';
import type { Dependencies } from '../operations/context/context.ts';
import { callsPerSecondMax, gatewayNames } from '../providers/gateway/gateway.ts';
import type { GatewayName, Gateways } from '../providers/gateway/gateway.ts';
import { gatewayQueue } from '../workflows/contract.ts';
import { createGatewayActivities } from './activities.ts';
import type { ActivityOptions } from './activities.ts';

/** Payments under way at once in one process: they wait for the gateway, not for us. */
const PAYMENTS_MAX: Readonly<Record<GatewayName, number>> = { sandbox: 16, stripe: 40 };
const POLLS_MAX = 4;
/** So soon the engine hears at which step a slow call is. */
const STEP_SHOWN_AFTER = '1 second';

export interface GatewayWorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** Of the workflows; those of the gateways are named after it. */
  readonly taskQueue: string;
  readonly identity: string;
  readonly shutdownForceTime: string;
  readonly dependencies: Dependencies;
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
