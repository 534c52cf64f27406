/** Carries one order: sleeps until its row says that something is due, then looks at the row again. */
import {
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { follow } from './activities.ts';
import { failureCodeKey, nextActionAtKey, nudge, phaseKey } from './contract.ts';
import type { OrderWake, SubscriptionInput } from './contract.ts';

const WAKES_PER_RUN_MAX = 24;
/** A month and some days: a monthly order sleeps once a period, and no timer is for ever. */
const SLEEP_MS_MAX = 35 * 86_400_000;

export async function subscription(input: SubscriptionInput): Promise<void> {
  let nudged = false;
  setHandler(
    nudge,
    () => {
      nudged = true;
    },
    { description: 'The order, or something that it lives by, has changed: look again.' },
  );
  // How often in a row a due order was left to the billing run.
  let yields = 0;
  for (let wakes = 1; ; wakes++) {
    nudged = false;
    const { tenantId, orderId, title } = input;
    const followed = await follow({ tenantId, orderId, yields });
    record(title, followed);
    if (followed.ended) return;
    yields = followed.yielded ? yields + 1 : 0;
    await sleepUntilDue(followed, () => nudged);
    // The next run begins by looking, as this one would now: so nothing is lost, and no handler
    // is under way here.
    if (wakes >= WAKES_PER_RUN_MAX || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof subscription>(input);
    }
  }
}

async function sleepUntilDue(followed: OrderWake, isNudged: () => boolean): Promise<void> {
  if (followed.waitMs === null) return condition(isNudged);
  const summary = followed.next ? `${followed.next.what} ${followed.next.on}` : 'looks again';
  await condition(isNudged, Math.min(followed.waitMs, SLEEP_MS_MAX), { summary });
}

function record(title: string, followed: OrderWake): void {
  const { phase, next, failureCode } = followed;
  const known = workflowInfo().typedSearchAttributes;
  const changed: SearchAttributeUpdatePair[] = [];
  if (known.get(phaseKey) !== phase) changed.push({ key: phaseKey, value: phase });
  if ((known.get(failureCodeKey) ?? null) !== failureCode) {
    changed.push({ key: failureCodeKey, value: failureCode });
  }
  if (known.get(nextActionAtKey)?.getTime() !== next?.at) {
    changed.push({ key: nextActionAtKey, value: next ? new Date(next.at) : null });
  }
  if (changed.length > 0) upsertSearchAttributes(changed);
  setCurrentDetails(describe(title, followed));
}

function describe(title: string, followed: OrderWake): string {
  const { phase, did, next, waitMs, failureCode } = followed;
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  const step = next ? `${next.what} on ${next.on}` : 'none in sight';
  const wait = waitMs === null ? 'a change of the order' : (next?.on ?? 'its next look');
  return [
    `**${title}: ${phase}**${failure}`,
    '',
    `- waits for: ${wait}`,
    `- last step: ${did}`,
    `- next step: ${step}`,
  ].join('\n');
}
