/** Carries a payment plan: sleeps until its next installment, and shows what was charged. */
import { continueAsNew, setHandler } from '@temporalio/workflow';
import { lookAtPlan, skipPlanInstallment } from './activities.ts';
import {
  skipInstallment,
  type PaymentPlanInput,
  type PlanWake,
  type Skip,
} from './contract/contract.ts';
import { installmentText, shownPlan } from './story/shown.ts';
import { asRefusal, refusal, requestIdOfUpdate, assertGiven, trimmed } from './loops/updates.ts';
import { listenForNudges, lookUntilEnded, showDetails, type Nudges } from './loops/wakes.ts';

interface State {
  readonly nudges: Nudges;
  wake: PlanWake | null;
}

/** Its result says what its details said last. */
export interface PlanEnd {
  readonly phase: string;
  readonly happened: readonly string[];
}

export async function paymentPlan(input: PaymentPlanInput): Promise<PlanEnd> {
  const { tenantId, planId } = input;
  const nudges = listenForNudges('The plan, or one of its payments, has changed: look again.');
  const state: State = { nudges, wake: null };
  listen(input, state);
  const { phase, happened } = await lookUntilEnded<PlanWake>(nudges, {
    first: 'looks at the plan, at the start of a run',
    look: (why) => lookAtPlan(why, { tenantId, planId }),
    show: (wake) => {
      state.wake = wake;
      showDetails(input.title, shownPlan(wake, Date.now()), wake.happened);
    },
    nextOf: ({ next }) => next && installmentText(next),
    again: () => continueAsNew<typeof paymentPlan>(input),
  });
  return { phase, happened };
}

function listen({ tenantId, planId }: PaymentPlanInput, state: State): void {
  setHandler(
    skipInstallment,
    async (given) => {
      const requestKey = requestIdOfUpdate();
      const asked = { tenantId, planId, requestKey, ...trimmed(given) };
      try {
        const wake = await skipPlanInstallment(asked);
        state.nudges.nudged = true;
        return wake;
      } catch (error) {
        throw asRefusal(error);
      }
    },
    {
      description:
        'Skips the next installment: it counts, and charges nothing: ' +
        '{ "reason": "...", "by": "your name" }; the books keep the reason.',
      validator: (given) => assertSkippable(state, given),
    },
  );
}

/** Validates what a person enters by hand. */
function assertSkippable({ wake }: State, given: Partial<Skip> | null | undefined): void {
  assertGiven(given);
  if (wake && wake.remaining === 0) throw refusal('the plan has no installment to come');
}
