/**
 * The smallest possible order workflow: a signal, one local activity, one search attribute upsert.
 */
import {
  condition,
  defineSignal,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { nextActionAtKey } from '../../workflows/contract.ts';

export const wake = defineSignal('wake');

interface Activities {
  look(): Promise<number>;
}

const { look } = proxyLocalActivities<Activities>({ startToCloseTimeout: '10 seconds' });

/** Wakes as often as it is nudged. */
export async function bareFollower(wakes: number): Promise<void> {
  let woken = 0;
  setHandler(wake, () => {
    woken += 1;
  });
  for (let wakeNumber = 1; wakeNumber <= wakes; wakeNumber += 1) {
    await condition(() => woken >= wakeNumber);
    const at = await look();
    upsertSearchAttributes([{ key: nextActionAtKey, value: new Date(at) }]);
  }
}
