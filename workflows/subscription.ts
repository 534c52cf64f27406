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
import { followFor } from './activities.ts';
import { customerRefKey, failureCodeKey, nextActionAtKey, nudge, phaseKey } from './contract.ts';
import { tenantKey } from './contract.ts';
import type { OrderWake, SeenOrder, SubscriptionInput } from './contract.ts';
import { detailsOf, lastOf, minuteOf, nameOf, summaryOf } from './story.ts';

const WAKES_PER_RUN_MAX = 24;
/** Each earlier wake of a run costs an evicted workflow a replay; a new run costs as two of them. */
const WAKES_PER_EVICTED_RUN_MAX = 3;
/** A month and some days: a monthly order sleeps once a period, and no timer is for ever. */
const SLEEP_MS_MAX = 35 * 86_400_000;

/** Its result says of an order that has ended what its details said last. */
export interface OrderEnd {
  readonly phase: string;
  readonly happened: readonly string[];
}

export async function subscription(input: SubscriptionInput): Promise<OrderEnd> {
  let nudged = false;
  setHandler(
    nudge,
    () => {
      nudged = true;
    },
    { description: 'The order, or something that it lives by, has changed: look again.' },
  );
  const { tenantId, orderId, title } = input;
  let seen = input.seen;
  let story = lastOf(input.story ?? []);
  let why = seen ? 'looks again, in a new run' : 'looks at the order for the first time';
  // How often in a row a due order was left to the billing run.
  let yields = 0;
  for (let wakes = 1; ; wakes++) {
    nudged = false;
    const followed = await followFor(why, { tenantId, orderId, yields, seen });
    story = lastOf(story, followed.happened);
    seen = followed.seen ?? seen;
    record(title, followed, story);
    if (followed.ended) return { phase: followed.phase, happened: story };
    yields = followed.yielded ? yields + 1 : 0;
    await sleepUntilDue(followed, () => nudged);
    why = nudged ? 'was nudged, looks for what has changed' : whyNow(followed);
    // The next run begins by looking, as this one would now: so nothing is lost, and no handler
    // is under way here.
    const wakesMax = followed.evicted ? WAKES_PER_EVICTED_RUN_MAX : WAKES_PER_RUN_MAX;
    if (wakes >= wakesMax || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof subscription>(goesOn(input, story, seen));
    }
  }
}

function goesOn(
  input: SubscriptionInput,
  story: readonly string[],
  seen: SeenOrder | undefined,
): SubscriptionInput {
  return seen ? { ...input, story, seen } : { ...input, story };
}

function whyNow({ next, yielded, waitMs }: OrderWake): string {
  if (yielded) return 'looks whether the billing run has billed it';
  const isTime = next && (waitMs ?? 0) <= SLEEP_MS_MAX;
  return isTime ? `its time has come: ${next.what} on ${next.on}` : 'looks again';
}

async function sleepUntilDue(followed: OrderWake, isNudged: () => boolean): Promise<void> {
  if (followed.waitMs === null) return condition(isNudged);
  const waitMs = Math.min(followed.waitMs, SLEEP_MS_MAX);
  await condition(isNudged, waitMs, { summary: summaryOf(waitWords(followed, waitMs)) });
}

/** `until 2027-02-15 05:01 UTC, then bills 2027-02-15; before: invoice 1024, 125.95 USD` */
function waitWords({ next, waitMs, happened = [] }: OrderWake, sleepMs: number): string {
  const isShort = waitMs === null || sleepMs < waitMs;
  const then = next && !isShort ? `then ${next.what} ${next.on}` : 'then looks again';
  const last = happened.at(-1)?.replace(/^[\d-]+: /, '');
  const before = last === undefined ? '' : `; before: ${last}`;
  return `until ${minuteOf(Date.now() + sleepMs)}, ${then}${before}`;
}

function record(title: string, followed: OrderWake, story: readonly string[]): void {
  const { phase, next, failureCode, tenant, customer } = followed;
  const known = workflowInfo().typedSearchAttributes;
  const changed: SearchAttributeUpdatePair[] = [];
  if (known.get(phaseKey) !== phase) changed.push({ key: phaseKey, value: phase });
  if ((known.get(failureCodeKey) ?? null) !== failureCode) {
    changed.push({ key: failureCodeKey, value: failureCode });
  }
  if (known.get(nextActionAtKey)?.getTime() !== next?.at) {
    changed.push({ key: nextActionAtKey, value: next ? new Date(next.at) : null });
  }
  // Wakes in older histories do not say them: their replays upsert nothing more than they did.
  if (tenant !== undefined && known.get(tenantKey) !== tenant) {
    changed.push({ key: tenantKey, value: tenant });
  }
  if (customer && (known.get(customerRefKey) ?? null) !== customer.customerRef) {
    changed.push({ key: customerRefKey, value: customer.customerRef });
  }
  if (changed.length > 0) upsertSearchAttributes(changed);
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  setCurrentDetails(detailsOf(`${title}: ${phase}${failure}`, factsOf(followed), story));
}

function factsOf(followed: OrderWake): (string | null)[] {
  const { customer, failureCode } = followed;
  return [
    customer ? nameOf(customer) : null,
    `next: ${nextOf(followed)}`,
    failureCode === null
      ? null
      : `held from billing (${failureCode}) until somebody activates the customer`,
  ];
}

function nextOf({ next, waitMs, ended, clockOn }: OrderWake): string {
  if (ended) return 'nothing, it has ended';
  const step = next ? `${next.what} on ${next.on}` : 'nothing before a change of the order';
  // It is nudged on the days of its own order, not on each day of the clock.
  if (clockOn) return `${step} by the test clock, which was at ${clockOn} at the last look`;
  if (waitMs === null) return step;
  return `${step}, waits until ${minuteOf(Date.now() + Math.min(waitMs, SLEEP_MS_MAX))}`;
}
