/** Carries one order: sleeps until its row says that something is due, then looks at the row again. */
import { continueAsNew } from '@temporalio/workflow';
import { lookAtOrder } from './activities.ts';
import {
  customerRefKey,
  tenantKey,
  type OrderWake,
  type SubscriptionInput,
} from './contract/contract.ts';
import { shownOrder } from './story/shown.ts';
import { lastOf } from './story/story.ts';
import { listenForNudges, lookUntilEnded, showDetails, whyFirst } from './loops/wakes.ts';

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
    first: whyFirst('order'),
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
  const { tenant, customer } = followed;
  const { attributes, ...shown } = shownOrder(followed, Date.now());
  const wanted = [...attributes];
  // Looks in older histories do not say them: their replays upsert nothing more than they did.
  if (tenant !== undefined) wanted.push({ key: tenantKey, value: tenant });
  if (customer) wanted.push({ key: customerRefKey, value: customer.customerRef });
  showDetails(title, { ...shown, attributes: wanted }, story);
}
