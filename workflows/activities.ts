/** The activity proxies of workflows, with every time limit and retry. */
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
  // A longer retry delay becomes a timer, so that no task stays open while the database is down.
  localRetryThreshold: '5 seconds',
  retry,
});

/** Long activities: they work in slices and send heartbeats. */
export const { billTenant, advanceClock } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { ...retry, maximumInterval: '10 seconds' },
});

/** An activity that a person requests: the history shows it with its outcome. */
export const { resolvePayment } = proxyActivities<Activities>({
  startToCloseTimeout: '45 seconds',
  retry,
});

/** Calls to a gateway, within its rate limit; heartbeats show the step. */
export function activitiesAt(gateway: string): GatewayActivities {
  return proxyActivities<GatewayActivities>({
    taskQueue: gatewayQueue(workflowInfo().taskQueue, gateway),
    summary: gateway,
    startToCloseTimeout: '5 minutes',
    // A short time-out detects a dead worker soon, while the caller is still waiting.
    heartbeatTimeout: '5 seconds',
    retry: { ...retry, maximumInterval: '10 seconds' },
  });
}
