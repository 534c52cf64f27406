/** Carries a payment plan: sleeps until its next installment, and shows what was charged. */
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
import { followPlanFor, skipPlanInstallment } from './activities.ts';
import { skipInstallment } from './contract-plans.ts';
import type { PaymentPlanInput, PlanWake, Skip } from './contract-plans.ts';
import { nextActionAtKey, nudge, phaseKey } from './contract.ts';
import { assertReason } from './reason.ts';
import { counted, detailsOf, minuteOf, nameOf, summaryOf } from './story.ts';
import { asRefusal, refusal, requestIdOfUpdate } from './updates.ts';

const LOOKS_PER_RUN_MAX = 24;
/** No timer is for ever: a look costs little. */
const SLEEP_MS_MAX = 35 * 86_400_000;

interface State {
  nudged: boolean;
  wake: PlanWake | null;
}

/** Its result says what its details said last. */
export interface PlanEnd {
  readonly phase: string;
  readonly happened: readonly string[];
}

export async function paymentPlan(input: PaymentPlanInput): Promise<PlanEnd> {
  const { tenantId, planId } = input;
  const state: State = { nudged: false, wake: null };
  listen(input, state);
  let why = 'looks at the plan, at the start of a run';
  for (let looks = 1; ; looks++) {
    state.nudged = false;
    const wake = await followPlanFor(why, { tenantId, planId });
    state.wake = wake;
    show(input, wake);
    if (wake.ended) {
      await condition(allHandlersFinished);
      // An update that was under way may have changed rows since the look.
      if (!state.nudged) return { phase: wake.phase, happened: wake.happened };
    } else await sleep(wake, () => state.nudged);
    why = state.nudged ? 'was nudged, looks for what has changed' : whyNow(wake);
    // The next run begins by looking, so no nudge is lost.
    if (looks >= LOOKS_PER_RUN_MAX || workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof paymentPlan>(input);
    }
  }
}

function listen({ tenantId, planId }: PaymentPlanInput, state: State): void {
  setHandler(
    nudge,
    () => {
      state.nudged = true;
    },
    { description: 'The plan, or one of its payments, has changed: look again.' },
  );
  setHandler(
    skipInstallment,
    async ({ reason }) => {
      const requestKey = requestIdOfUpdate();
      const asked = { tenantId, planId, requestKey, reason: reason.trim() };
      try {
        const wake = await skipPlanInstallment(asked);
        state.nudged = true;
        return wake;
      } catch (error) {
        throw asRefusal(error);
      }
    },
    {
      description:
        'Skips the next installment: it counts, and charges nothing: { "reason": "..." }, which ' +
        'the books keep.',
      validator: (given) => assertSkippable(state, given),
    },
  );
}

/** Validates what a person enters by hand. */
function assertSkippable({ wake }: State, given: Partial<Skip> | null | undefined): void {
  assertReason(given?.reason);
  if (wake && wake.remaining === 0) throw refusal('the plan has no installment to come');
}

function whyNow({ next, waitMs }: PlanWake): string {
  const isTime = next && (waitMs ?? 0) <= SLEEP_MS_MAX;
  return isTime ? `its time has come: ${stepText(next)}` : 'looks again';
}

async function sleep({ waitMs, next }: PlanWake, isNudged: () => boolean): Promise<void> {
  if (waitMs === null) return condition(isNudged);
  const sleepMs = Math.min(waitMs, SLEEP_MS_MAX);
  const isShort = sleepMs < waitMs;
  const then = next && !isShort ? `then ${stepText(next)}` : 'then looks again';
  const summary = summaryOf(`until ${minuteOf(Date.now() + sleepMs)}, ${then}`);
  await condition(isNudged, sleepMs, { summary });
}

/** `charges installment 2 on 2027-02-28` */
function stepText({ what, installment, on }: NonNullable<PlanWake['next']>): string {
  return `${what} installment ${installment} on ${on}`;
}

function show({ title }: PaymentPlanInput, wake: PlanWake): void {
  const { phase, next, happened } = wake;
  const known = workflowInfo().typedSearchAttributes;
  const changed: SearchAttributeUpdatePair[] = [];
  if (known.get(phaseKey) !== phase) changed.push({ key: phaseKey, value: phase });
  if (known.get(nextActionAtKey)?.getTime() !== next?.at) {
    changed.push({ key: nextActionAtKey, value: next ? new Date(next.at) : null });
  }
  if (changed.length > 0) upsertSearchAttributes(changed);
  setCurrentDetails(detailsOf(`${title}: ${phase}`, factsOf(wake), happened));
}

function factsOf(wake: PlanWake): (string | null)[] {
  const { customer, terms, remaining, paying } = wake;
  if (wake.phase === 'Gone') return ['there is no such plan'];
  return [
    customer ? nameOf(customer) : null,
    `${terms}; ${counted(remaining, 'installment')} to come`,
    paying.length === 0 ? null : `waits for payment ${paying.join(', ')}`,
    `next: ${nextText(wake)}`,
  ];
}

function nextText({ next, waitMs, ended, clockOn, paying }: PlanWake): string {
  if (ended) return 'nothing, the plan has ended';
  if (!next) return paying.length > 0 ? 'the outcome of the payment' : 'nothing before a change';
  if (clockOn) {
    return `${stepText(next)} by the test clock, which was at ${clockOn} at the last look`;
  }
  if (waitMs === null) return stepText(next);
  return `${stepText(next)}, waits until ${minuteOf(Date.now() + Math.min(waitMs, SLEEP_MS_MAX))}`;
}
