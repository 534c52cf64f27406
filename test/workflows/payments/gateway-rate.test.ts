/** Each gateway's calls have a separate queue, whose rate the engine limits. */

import protocol from '@temporalio/proto';
import test from 'ava';
import { ownQueue } from '../../../workflows/contract/contract.ts';
import { patient, testTemporal } from '../../support/temporal.ts';
import { until } from '../harness.ts';
import { startHarness } from '../setup.ts';
import { connectTemporal } from '../../../providers/temporal/connect.ts';

const harness = await startHarness();
const { TASK_QUEUE_TYPE_ACTIVITY: taskQueueType } = protocol.temporal.api.enums.v1.TaskQueueType;

test('all our workers together call Stripe at most 80 times a second', async (t) => {
  const { address, namespace } = await testTemporal();
  const connection = await connectTemporal({ address }, patient);
  t.teardown(() => connection.close());
  const rateOf = async (gateway: string): Promise<number> => {
    const name = ownQueue(harness.engine.taskQueue, `gateway-${gateway}`);
    const { taskQueueStatus } = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType,
      includeTaskQueueStatus: true,
    });
    return taskQueueStatus?.ratePerSecond ?? 0;
  };
  // The engine learns the rate by a poll.
  await until('the rate is known', async () => (await rateOf('stripe')) === 80);
  t.true((await rateOf('sandbox')) > 1_000, 'the sandbox has no limit');
});
