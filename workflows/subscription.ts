/** Carries one order: sleeps until its row says that something is due, then looks at the row again. */
import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { lookAtOrder } from './activities.ts';
import {
  customerRefKey,
  failureCodeKey,
  nextActionAtKey,
  phaseKey,
  tenantKey,
  type OrderWake,
  type SubscriptionInput,
} from './contract.ts';
import { detailsOf, lastOf, minuteOf, nameOf } from './story.ts';
import { listenForNudges, lookUntilEnded, showAttributes, sleepsUntil } from './wakes.ts';

/** Each earlier look of a run costs an evicted workflow a replay; a new run costs as two of them. */
const LOOKS_PER_EVICTED_RUN_MAX = 3;

/** Its result says of an order that has ended what its details said last. */
export interface OrderEnd {
  readonly phase: string;
  readonly happened: readonly string[];
}

export async function subscription(input: SubscriptionInput): Promise<OrderEnd> {
  const { tenantId, orderId, title } = input;
  const state = listenForNudges(
    'The order, or something that it lives by, has changed: look again.',
  );
  let seen = input.seen;
  let story = lastOf(input.story ?? []);
  // How often in a row a due order was left to the billing run.
  let yields = 0;
  const { phase } = await lookUntilEnded<OrderWake>(state, {
    first: seen ? 'looks again, in a new run' : 'looks at the order for the first time',
    look: (why) => lookAtOrder(why, { tenantId, orderId, yields, seen }),
    show: (followed) => {
      story = lastOf(story, followed.happened);
      seen = followed.seen ?? seen;
      yields = followed.yielded ? yields + 1 : 0;
      record(title, followed, story);
    },
    nextOf: ({ next }) => next && `${next.what} on ${next.on}`,
    whyAwake: ({ yielded }) => (yielded ? 'looks whether the billing run has billed it' : null),
    beforeSleep: beforeOf,
    looksMax: ({ evicted }) => (evicted ? LOOKS_PER_EVICTED_RUN_MAX : null),
    again: () => continueAsNew<typeof subscription>({ ...input, story, ...(seen && { seen }) }),
  });
  return { phase, happened: story };
}

/** `; before: invoice 1024, 125.95 USD` */
function beforeOf({ happened = [] }: OrderWake): string {
  const last = happened.at(-1)?.replace(/^[\d-]+: /, '');
  return last === undefined ? '' : `; before: ${last}`;
}

function record(title: string, followed: OrderWake, story: readonly string[]): void {
  const { phase, next, failureCode, tenant, customer } = followed;
  const wanted: SearchAttributeUpdatePair[] = [
    { key: phaseKey, value: phase },
    { key: failureCodeKey, value: failureCode },
    { key: nextActionAtKey, value: next ? new Date(next.at) : null },
  ];
  // Looks in older histories do not say them: their replays upsert nothing more than they did.
  if (tenant !== undefined) wanted.push({ key: tenantKey, value: tenant });
  if (customer) wanted.push({ key: customerRefKey, value: customer.customerRef });
  showAttributes(wanted);
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  setCurrentDetails(detailsOf(`${title}: ${phase}${failure}`, factsOf(followed), story));
}

function factsOf(followed: OrderWake): (string | null)[] {
  const { customer, usage = null, coupon = null, changes = [], agents = [] } = followed;
  return [
    customer ? nameOf(customer) : null,
    `next: ${nextOf(followed)}`,
    usage,
    coupon,
    ...changes,
    ...agents,
    failureOf(followed),
  ];
}

function failureOf({ failureCode, waitsSince }: OrderWake): string | null {
  if (failureCode === null) return null;
  if (waitsSince !== undefined) return `waits for the tax provider since ${minuteOf(waitsSince)}`;
  const also = failureCode === 'tax.refused' ? ', or generateInvoice succeeds' : '';
  return `held from billing (${failureCode}) until somebody activates the customer${also}`;
}

function nextOf({ next, waitMs, ended, clockOn }: OrderWake): string {
  if (ended) return 'nothing, it has ended';
  const step = next ? `${next.what} on ${next.on}` : 'nothing before a change of the order';
  // It is nudged on the days of its own order, not on each day of the clock.
  if (clockOn) return `${step} by the test clock, which was at ${clockOn} at the last look`;
  if (waitMs === null) return step;
  return `${step}, waits until ${sleepsUntil(waitMs)}`;
}
