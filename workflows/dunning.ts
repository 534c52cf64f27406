/** Carries one customer's dunning: sleeps until the next step, and shows what it waits for and why. */
import { continueAsNew, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { changeDunning, wakeDunningFor } from './activities.ts';
import { nextActionAtKey, phaseKey } from './contract.ts';
import {
  holdDunning,
  resumeDunning,
  retryDunningNow,
  type DunningAction,
  type DunningInput,
  type DunningOutcome,
  type DunningRequest,
  type DunningWake,
} from './contract-dunning.ts';
import { detailsOf, lastOf, nameOf } from './story.ts';
import { asRefusal, requestIdOfUpdate, assertReason } from './updates.ts';
import { listenForNudges, lookUntilEnded, showAttributes, sleepsUntil } from './wakes.ts';

/** Its result says what its details said last. */
export interface DunningEnd {
  readonly phase: string;
  readonly happened: readonly string[];
}

export async function dunning(input: DunningInput): Promise<DunningEnd> {
  const { tenantId, customerId, title } = input;
  const state = listenForNudges('What the customer owes, or its status, has changed: look again.');
  listen(input, () => {
    state.nudged = true;
  });
  let seen = input.seen;
  let story = lastOf(input.story ?? []);
  let yields = 0;
  const { phase } = await lookUntilEnded<DunningWake>(state, {
    first: seen ? 'looks again, in a new run' : 'looks at the dunning for the first time',
    look: (why) => wakeDunningFor(why, { tenantId, customerId, yields, seen }),
    show: (wake) => {
      story = lastOf(story, wake.happened);
      ({ seen } = wake);
      yields = wake.yielded ? yields + 1 : 0;
      record(title, wake, story);
    },
    nextOf: ({ next }) => next && `${next.what} on ${next.on}`,
    whyAwake,
    again: () => continueAsNew<typeof dunning>({ ...input, story, ...(seen && { seen }) }),
  });
  return { phase, happened: story };
}

/** Updates that people send, each with a reason that the books keep. */
function listen(input: DunningInput, onDone: () => void): void {
  const change = (action: DunningAction) => {
    return async ({ reason }: DunningRequest): Promise<DunningOutcome> => {
      const requestId = requestIdOfUpdate();
      const { tenantId, customerId } = input;
      const asked = { tenantId, customerId, action, reason: reason.trim(), requestId };
      try {
        const outcome = await changeDunning(asked);
        onDone();
        return outcome;
      } catch (error) {
        throw asRefusal(error);
      }
    };
  };
  const validator = (given: Partial<DunningRequest> | null | undefined): void => {
    assertReason(given?.reason);
  };
  setHandler(holdDunning, change('hold'), {
    description: 'Holds it: no step upwards and no retry until resume. { "reason": "..." }',
    validator,
  });
  setHandler(resumeDunning, change('resume'), {
    description: 'Ends a hold; the next 00:00 takes what was passed. { "reason": "..." }',
    validator,
  });
  setHandler(retryDunningNow, change('retryNow'), {
    description: 'Charges now what would be retried later. { "reason": "..." }',
    validator,
  });
}

function whyAwake({ yielded, waitsFor }: DunningWake): string | null {
  if (yielded) return 'looks whether the run of the day has taken the step';
  return waitsFor === null ? null : `looks again: it waited for ${waitsFor}`;
}

function record(title: string, wake: DunningWake, story: readonly string[]): void {
  const { phase, next } = wake;
  showAttributes([
    { key: phaseKey, value: phase },
    { key: nextActionAtKey, value: next ? new Date(next.at) : null },
  ]);
  setCurrentDetails(detailsOf(`${title}: ${phase}`, factsOf(wake), story));
}

function factsOf({ customer, owed, trying = [], later, ...wake }: DunningWake): (string | null)[] {
  return [
    customer ? nameOf(customer) : null,
    ...owed.map((text) => `overdue: ${text}`),
    ...trying.map((payment) => `retries now: payment ${payment}`),
    `next: ${nextOf(wake)}`,
    later ? `then: ${later.what} on ${later.on}` : null,
    wake.waitsFor === null ? null : `waits for ${wake.waitsFor}`,
  ];
}

function nextOf({
  next,
  ended,
  waitMs,
  clockOn,
}: Pick<DunningWake, 'next' | 'ended' | 'waitMs' | 'clockOn'>): string {
  if (ended) return 'nothing, nothing is overdue and nothing is retried';
  const step = next ? `${next.what} on ${next.on}` : 'no step by age, no retry';
  if (clockOn) {
    const by = next ? ' by the test clock, which was' : '; the test clock was';
    return `${step}${by} at ${clockOn} at the last look`;
  }
  if (waitMs === null) return step;
  return `${step}, waits until ${sleepsUntil(waitMs)}`;
}
