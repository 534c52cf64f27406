/** Carries one customer's dunning: sleeps until the next step, and shows what it waits for and why. */
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { changeDunning, wakeDunningFor } from './activities.ts';
import { nextActionAtKey, nudge, phaseKey } from './contract.ts';
import { holdDunning, resumeDunning, retryDunningNow } from './contract-dunning.ts';
import type {
  DunningAction,
  DunningInput,
  DunningOutcome,
  DunningRequest,
  DunningWake,
} from './contract-dunning.ts';
import { assertReason } from './reason.ts';
import { detailsOf, lastOf, minuteOf, nameOf, summaryOf } from './story.ts';
import { asRefusal, requestIdOfUpdate } from './updates.ts';

const WAKES_PER_RUN_MAX = 24;
/** A step is at most some months away; no timer is for ever. */
const SLEEP_MS_MAX = 35 * 86_400_000;

/** Its result says what its details said last. */
export interface DunningEnd {
  readonly phase: string;
  readonly happened: readonly string[];
}

export async function dunning(input: DunningInput): Promise<DunningEnd> {
  let nudged = false;
  setHandler(
    nudge,
    () => {
      nudged = true;
    },
    { description: 'What the customer owes, or its status, has changed: look again.' },
  );
  const { tenantId, customerId, title } = input;
  listen(input, () => {
    nudged = true;
  });
  let seen = input.seen;
  let story = lastOf(input.story ?? []);
  let why = seen ? 'looks again, in a new run' : 'looks at the dunning for the first time';
  let yields = 0;
  for (let wakes = 1; ; wakes++) {
    nudged = false;
    const wake = await wakeDunningFor(why, { tenantId, customerId, yields, seen });
    story = lastOf(story, wake.happened);
    ({ seen } = wake);
    record(title, wake, story);
    if (wake.ended) {
      await condition(allHandlersFinished);
      // Something has become overdue again, or the customer has paid while this run looked.
      if (!nudged) return { phase: wake.phase, happened: story };
      why = 'was nudged at its end, looks again';
      continue;
    }
    yields = wake.yielded ? yields + 1 : 0;
    await sleep(wake, () => nudged);
    why = nudged ? 'was nudged, looks for what has changed' : whyNow(wake);
    if (wakes >= WAKES_PER_RUN_MAX || workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof dunning>({ ...input, story, seen });
    }
  }
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

function whyNow({ next, yielded, waitMs, waitsFor }: DunningWake): string {
  if (yielded) return 'looks whether the run of the day has taken the step';
  if (waitsFor !== null) return `looks again: it waited for ${waitsFor}`;
  const isTime = next && (waitMs ?? 0) <= SLEEP_MS_MAX;
  return isTime ? `its time has come: ${next.what} on ${next.on}` : 'looks again';
}

async function sleep(wake: DunningWake, isNudged: () => boolean): Promise<void> {
  if (wake.waitMs === null) return condition(isNudged);
  const waitMs = Math.min(wake.waitMs, SLEEP_MS_MAX);
  const { next } = wake;
  const then = next ? `then ${next.what} ${next.on}` : 'then looks again';
  const summary = summaryOf(`until ${minuteOf(Date.now() + waitMs)}, ${then}`);
  await condition(isNudged, waitMs, { summary });
}

function record(title: string, wake: DunningWake, story: readonly string[]): void {
  const { phase, next } = wake;
  const known = workflowInfo().typedSearchAttributes;
  const changed: SearchAttributeUpdatePair[] = [];
  if (known.get(phaseKey) !== phase) changed.push({ key: phaseKey, value: phase });
  if (known.get(nextActionAtKey)?.getTime() !== next?.at) {
    changed.push({ key: nextActionAtKey, value: next ? new Date(next.at) : null });
  }
  if (changed.length > 0) upsertSearchAttributes(changed);
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
  return `${step}, waits until ${minuteOf(Date.now() + Math.min(waitMs, SLEEP_MS_MAX))}`;
}
