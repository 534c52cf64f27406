/** Carries one customer's dunning: sleeps until the next step, and shows what it waits for and why. */
import { continueAsNew, setHandler } from '@temporalio/workflow';
import { changeDunning, wakeDunningFor } from './activities.ts';
import {
  holdDunning,
  resumeDunning,
  retryDunningNow,
  type DunningAction,
  type DunningInput,
  type DunningOutcome,
  type DunningRequest,
  type DunningWake,
} from './contract/dunning.ts';
import { shownDunning } from './story/shown.ts';
import { lastOf } from './story/story.ts';
import { asRefusal, requestIdOfUpdate, assertGiven, trimmed } from './loops/updates.ts';
import { listenForNudges, lookUntilEnded, showDetails, whyFirst } from './loops/wakes.ts';

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
    first: whyFirst('dunning'),
    look: (why) => wakeDunningFor(why, { tenantId, customerId, yields, seen }),
    show: (wake) => {
      story = lastOf(story, wake.happened);
      ({ seen } = wake);
      yields = wake.yielded ? yields + 1 : 0;
      showDetails(title, shownDunning(wake, Date.now()), story);
    },
    nextOf: ({ next }) => next && `${next.what} on ${next.on}`,
    whyAwake,
    again: () => continueAsNew<typeof dunning>({ ...input, story, ...(seen && { seen }) }),
  });
  return { phase, happened: story };
}

const PERSON = '{ "reason": "...", "by": "your name" }';

/** Updates that people send, each with a reason that the books keep. */
function listen(input: DunningInput, onDone: () => void): void {
  const change = (action: DunningAction) => {
    return async (given: DunningRequest): Promise<DunningOutcome> => {
      const requestId = requestIdOfUpdate();
      const { tenantId, customerId } = input;
      const asked = { tenantId, customerId, action, ...trimmed(given), requestId };
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
    assertGiven(given);
  };
  setHandler(holdDunning, change('hold'), {
    description: 'Holds it: no step upwards and no retry until resume. ' + PERSON,
    validator,
  });
  setHandler(resumeDunning, change('resume'), {
    description: 'Ends a hold; the next 00:00 takes what was passed. ' + PERSON,
    validator,
  });
  setHandler(retryDunningNow, change('retryNow'), {
    description: 'Charges now what would be retried later. ' + PERSON,
    validator,
  });
}

function whyAwake({ yielded, waitsFor }: DunningWake): string | null {
  if (yielded) return 'looks whether the run of the day has taken the step';
  return waitsFor === null ? null : `looks again: it waited for ${waitsFor}`;
}
