/** Carries a payment plan: sleeps until its next installment, and shows what was charged. */
import { continueAsNew, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { lookAtPlan, skipPlanInstallment } from './activities.ts';
import {
  nextActionAtKey,
  phaseKey,
  skipInstallment,
  type PaymentPlanInput,
  type PlanWake,
  type Skip,
} from './contract.ts';
import { counted, detailsOf, nameOf } from './story.ts';
import { asRefusal, refusal, requestIdOfUpdate, assertReason } from './updates.ts';
import {
  listenForNudges,
  lookUntilEnded,
  showAttributes,
  sleepsUntil,
  type Nudges,
} from './wakes.ts';

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
      show(input, wake);
    },
    nextOf: ({ next }) => next && stepText(next),
    again: () => continueAsNew<typeof paymentPlan>(input),
  });
  return { phase, happened };
}

function listen({ tenantId, planId }: PaymentPlanInput, state: State): void {
  setHandler(
    skipInstallment,
    async ({ reason }) => {
      const requestKey = requestIdOfUpdate();
      const asked = { tenantId, planId, requestKey, reason: reason.trim() };
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

/** `charges installment 2 on 2027-02-28` */
function stepText({ what, installment, on }: NonNullable<PlanWake['next']>): string {
  return `${what} installment ${installment} on ${on}`;
}

function show({ title }: PaymentPlanInput, wake: PlanWake): void {
  const { phase, next, happened } = wake;
  showAttributes([
    { key: phaseKey, value: phase },
    { key: nextActionAtKey, value: next ? new Date(next.at) : null },
  ]);
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
  return `${stepText(next)}, waits until ${sleepsUntil(waitMs)}`;
}
