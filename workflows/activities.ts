/** The activities as workflows call them: every time limit and retry is written here. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';

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
