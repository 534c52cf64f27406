/** Sends a tenant's events to one endpoint, and ends when nothing is left to send. */
import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ApplicationFailure } from '@temporalio/common';
import { callbackActivities } from './activities.ts';
import {
  failureCodeKey,
  nextActionAtKey,
  phaseKey,
  resumeCallbacks,
  type CallbackProgress,
  type CallbacksInput,
  type CallbacksResumed,
} from './contract/contract.ts';
import { setDetails } from './story/details.ts';
import { lastOf, backlog, counted, secondOf, summaryOf } from './story/story.ts';
import { refusal, refusalOf, requestIdOfUpdate, assertGiven, trimmed } from './loops/updates.ts';
import { listenForNudges, showAttributes, type Nudges } from './loops/wakes.ts';

const SLICES_PER_RUN_MAX = 50;

interface State extends Nudges {
  resuming: Resuming | null;
  story: readonly string[];
  /** A continue-as-new or the end is near: an Update is refused, and may be sent again. */
  isLeaving: boolean;
}

interface Resuming {
  readonly reason: string;
  readonly by?: string | undefined;
  readonly requestId: string;
  resumed: CallbacksResumed | null;
  failure: ApplicationFailure | null;
}

/** Its result is for people who look at it, and says what its details said last. */
export interface CallbacksEnd {
  readonly phase: CallbackProgress['phase'];
  readonly happened: readonly string[];
}

export async function callbacks(input: CallbacksInput): Promise<CallbacksEnd> {
  const { story = [] } = input;
  const state: State = { nudged: false, resuming: null, story: lastOf(story), isLeaving: false };
  listen(state);
  for (let slices = 1; ; slices++) {
    state.nudged = false;
    if (state.resuming) await resume(input, state, state.resuming);
    const { tenantId, endpointId } = input;
    const progress = await callbackActivities().deliverCallbacks({ tenantId, endpointId });
    state.story = storyWith(state.story, progress);
    show(input, state, progress);
    await pause(state, progress);
    const isOver = progress.done && !state.nudged;
    if (state.resuming) continue;
    if (isOver || slices >= SLICES_PER_RUN_MAX || workflowInfo().continueAsNewSuggested) {
      state.isLeaving = true;
      await condition(allHandlersFinished);
      if (!isOver) await continueAsNew<typeof callbacks>({ ...input, story: state.story });
      // A nudge that came meanwhile is of rows that the last slice may not have seen.
      if (!state.nudged) return { phase: progress.phase, happened: state.story };
      state.isLeaving = false;
    }
  }
}

function listen(state: State): void {
  listenForNudges('There are new events: look again.', state);
  setHandler(
    resumeCallbacks,
    async (given) => {
      const requestId = requestIdOfUpdate();
      const own: Resuming = { ...trimmed(given), requestId, resumed: null, failure: null };
      state.resuming = own;
      await condition(() => state.resuming !== own);
      if (own.failure !== null) throw own.failure;
      return own.resumed ?? { events: 0 };
    },
    {
      description:
        'Sends again what was given up, and ends a pause of the endpoint: ' +
        '{ "reason": "...", "by": "your name" }.',
      validator: (given) => {
        assertGiven(given);
        if (state.isLeaving || state.resuming) throw refusal('is being done: try again');
      },
    },
  );
}

async function resume(input: CallbacksInput, state: State, resuming: Resuming): Promise<void> {
  const { tenantId, endpointId } = input;
  try {
    const { reason, by, requestId } = resuming;
    const asked = { tenantId, endpointId, reason, by, requestId };
    resuming.resumed = await callbackActivities().resumeCallbacks(asked);
    const { events } = resuming.resumed;
    state.story = lastOf(state.story, [`resumed, ${events} sent again: ${reason}`]);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    resuming.failure = refusalOf(error);
  }
  state.resuming = null;
}

async function pause(state: State, progress: CallbackProgress): Promise<void> {
  const { waitMs, done } = progress;
  const isWoken = (): boolean => state.nudged || state.resuming !== null;
  if (done || waitMs === 0) return;
  if (waitMs === null) await condition(isWoken);
  else await condition(isWoken, waitMs, { summary: waitOf(progress, waitMs) });
}

function show(input: CallbacksInput, state: State, progress: CallbackProgress): void {
  const { phase, failureCode, waitMs } = progress;
  showAttributes([
    { key: phaseKey, value: phase },
    { key: failureCodeKey, value: failureCode },
    {
      key: nextActionAtKey,
      value: waitMs === null || waitMs === 0 ? null : new Date(Date.now() + waitMs),
    },
  ]);
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  setDetails(`${input.title}: ${phase}${failure}`, factsOf(progress), state.story);
}

/** An endpoint's details in the Web UI: what waits, what was given up, what comes next. */
function factsOf(progress: CallbackProgress): (string | null)[] {
  const { endpoint, waiting, givenUp, oldestAt, failingSince, waitMs, phase } = progress;
  const oldest = oldestAt === null ? '' : `, the oldest since ${secondOf(oldestAt)}`;
  const next = waitMs === 0 ? 'at once' : `at ${secondOf(Date.now() + (waitMs ?? 0))}`;
  const isOff = phase === 'Off';
  return [
    `endpoint: ${endpoint}`,
    failingSince === null ? null : `does not answer since ${secondOf(failingSince)}`,
    waiting === 0 ? null : `${backlog(waiting, 'event')} waiting${oldest}`,
    givenUp === 0 ? null : `${backlog(givenUp, 'event')} given up`,
    givenUp === 0 || isOff ? null : 'the Update resume sends them again, with a reason',
    isOff ? 'off: the tenant file does not name it, or its secret is unset' : null,
    `next: ${waitMs === null ? 'nothing, until there are new events' : `sends ${next}`}`,
  ];
}

/** A slice that found nothing to send leaves no line. */
function storyWith(story: readonly string[], progress: CallbackProgress): readonly string[] {
  const { delivered, failureCode } = progress;
  if (delivered === 0 && failureCode === null) return story;
  const failure = failureCode === null ? '' : `, then ${failureCode}`;
  const words = `${counted(delivered, 'event')} delivered${failure}`;
  return lastOf(story, [`${secondOf(Date.now())}: ${words}`]);
}

function waitOf({ phase, failureCode }: CallbackProgress, waitMs: number): string {
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  const then = phase === 'Paused' ? 'then looks whether the endpoint answers' : 'then tries again';
  return summaryOf(`until ${secondOf(Date.now() + waitMs)}, ${then}${failure}`);
}
