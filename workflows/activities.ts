/** The activities as workflows call them: every time limit and retry is written here. */
import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, GatewayActivities } from '../activities/activities.ts';
import { gatewayQueue } from './contract.ts';

const retry = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '1 minute',
} as const;

/** One short transaction each, run inside the workflow task: a wake stays one task. */
export const { follow, planBillingRun } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '45 seconds',
  // A longer pause becomes a timer, so that a task is not held open while the database is away.
  localRetryThreshold: '5 seconds',
  retry,
});

/** Long ones: they work in slices and tell that they are alive. */
export const { billTenant, advanceClock } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { ...retry, maximumInterval: '10 seconds' },
});

/** What a person asked for: it shows in the history, whatever came of it. */
export const { resolvePayment } = proxyActivities<Activities>({
  startToCloseTimeout: '45 seconds',
  retry,
});

/** Calls to a gateway, within its rate; they tell which step they are at. */
export function activitiesAt(gateway: string): GatewayActivities {
  return proxyActivities<GatewayActivities>({
    taskQueue: gatewayQueue(workflowInfo().taskQueue, gateway),
    summary: gateway,
    startToCloseTimeout: '5 minutes',
    // Soon noticed when its worker dies, so that a caller still waiting may see how it ends.
    heartbeatTimeout: '5 seconds',
    retry: { ...retry, maximumInterval: '10 seconds' },
  });
}
