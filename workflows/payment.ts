/** Processes a payment, a refund, or a cascade until all of it is final. */
import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ApplicationFailure } from '@temporalio/common';
import { activitiesAt, resolvePayment } from './activities.ts';
import {
  failureCodeKey,
  phaseKey,
  resolve,
  awaitOutcome,
  type Asking,
  type CascadeInput,
  type PaymentProgress,
  type Resolution,
  type PaymentOutcome,
} from './contract/contract.ts';
import { setDetails } from './story/details.ts';
import { lastOf, nameOf, secondOf, summaryOf } from './story/story.ts';
import { refusal, refusalOf, requestIdOfUpdate, assertGiven, trimmed } from './loops/updates.ts';
import { listenForNudges, LOOKS_PER_RUN_MAX, showAttributes, type Nudges } from './loops/wakes.ts';

const transactionIdForm = /^[\w.:-]{1,100}$/;

interface State extends Nudges {
  gateway: string;
  progress: PaymentProgress | null;
  asking: Asking | null;
  story: readonly string[];
  resolving: Resolving | null;
  /** A step with the gateway is running. */
  isBusy: boolean;
  /** A continue-as-new ends this run: pending updates complete with the present state. */
  isLeaving: boolean;
}

interface Resolving extends Resolution {
  readonly requestId: string;
  failure: ApplicationFailure | null;
}

/** Its result is for people who look at it, and says what its details said last. */
export interface PaymentEnd extends PaymentOutcome {
  readonly happened: readonly string[];
}

export async function payment(input: CascadeInput): Promise<PaymentEnd> {
  const { tenantId, paymentId, title, customer } = input;
  const state: State = {
    gateway: input.gateway,
    nudged: false,
    progress: null,
    asking: input.asking ?? null,
    story: lastOf(input.story ?? []),
    resolving: null,
    isBusy: false,
    isLeaving: false,
  };
  const facts = [customer ? nameOf(customer) : null, `calls ${state.gateway}`];
  setDetails(`${title}: Charging`, facts, state.story);
  listen(state);
  for (let looks = 1; ; looks++) {
    state.nudged = false;
    state.isBusy = true;
    const asked = state.asking?.asked ?? 0;
    const progress = state.resolving
      ? await resolved(input, state.resolving)
      : await activitiesAt(state.gateway, stepOf(state)).advancePayment({
          tenantId,
          paymentId,
          asked,
        });
    if (progress && !isNothingNew(state, progress)) take(state, progress);
    record(input, state);
    state.resolving = null;
    state.isBusy = false;
    if (state.progress?.done) {
      await condition(allHandlersFinished);
      if (!isNudgedAtEnd(state)) break;
      continue;
    }
    await pause(state);
    // The next run begins by reading its rows, so no nudge is lost.
    const isLongRun = looks >= LOOKS_PER_RUN_MAX || workflowInfo().continueAsNewSuggested;
    if (isLongRun && !state.resolving) {
      state.isLeaving = true;
      await condition(allHandlersFinished);
      await continueAsNew<typeof payment>({
        ...input,
        gateway: state.gateway,
        asking: state.asking,
        story: state.story,
      });
    }
  }
  return { ...outcomeOf(state), happened: state.story };
}

/**
 * Whether a nudge came since the last look began: an event of the gateway, which that look may not
 * have seen. Older histories ended regardless.
 */
function isNudgedAtEnd({ nudged }: State): boolean {
  return nudged && patched('nudged-at-end');
}

/** Whether a look after the end found no more than that: what the last look said stays. */
function isNothingNew({ progress: before }: State, now: PaymentProgress): boolean {
  return before?.done === true && now.done && now.failureCode === null;
}

/** What the step is to do, for the history. */
function stepOf({ progress, asking }: State): string {
  if (asking)
    return `asks what became of ${progress?.amount ?? 'the call'}, time ${asking.asked + 1}`;
  return progress ? 'looks again whether it is its turn' : 'takes its turn and calls';
}

/** What takes days, or waits for its payer, keeps nobody waiting. */
function isAnswered(progress: PaymentProgress | null): boolean {
  return progress?.done === true || isLong(progress);
}

/** Its outcome may take days. */
function isLong(progress: Pick<PaymentProgress, 'phase' | 'status'> | null): boolean {
  return progress?.phase === 'Processing' || progress?.status === 'ActionRequired';
}

function listen(state: State): void {
  listenForNudges('It may be its turn now: look again.', state);
  setHandler(
    awaitOutcome,
    async () => {
      await condition(() => state.isLeaving || isAnswered(state.progress));
      return outcomeOf(state);
    },
    { description: 'Answers once the payment is final.' },
  );
  setHandler(
    resolve,
    async ({ outcome, transactionId, ...person }) => {
      const requestId = requestIdOfUpdate();
      const given = { outcome, ...trimmed(person), transactionId };
      const own: Resolving = { ...given, requestId, failure: null };
      state.resolving = own;
      await condition(() => state.resolving !== own);
      if (own.failure !== null) throw own.failure;
      return outcomeOf(state);
    },
    {
      description:
        'Answers for a gateway that will never say what became of a call: ' +
        '{ "outcome": "approved" or "declined", "reason": "...", "by": "your name" }, and of what ' +
        'was approved ' +
        '"transactionId", by which it can be refunded.',
      validator: (given) => assertResolvable(state, given),
    },
  );
}

/** Validates a resolution, which a person enters by hand. */
function assertResolvable(state: State, given: Partial<Resolution> | null | undefined): void {
  const { outcome, transactionId } = given ?? {};
  if (outcome !== 'approved' && outcome !== 'declined') {
    throw refusal('outcome must be approved or declined');
  }
  assertGiven(given);
  if (transactionId !== undefined) {
    if (outcome === 'declined') throw refusal('transactionId is of what was approved');
    if (typeof transactionId !== 'string' || !transactionIdForm.test(transactionId)) {
      throw refusal('transactionId must be the id of the transaction at the gateway');
    }
  }
  // The gateway may still answer the call in progress, and a later call is a different one.
  if (state.isBusy || state.isLeaving) throw refusal('the gateway is being asked: try again');
  if (state.resolving || !state.progress?.asks) {
    throw refusal('only what a gateway does not answer can be resolved, once');
  }
}

/** Null when it could not be: then the gateway is asked again. */
async function resolved(
  { tenantId, paymentId }: CascadeInput,
  resolving: Resolving,
): Promise<PaymentProgress | null> {
  const { outcome, reason, by, transactionId, requestId } = resolving;
  try {
    const given = { outcome, reason, by, transactionId, requestId };
    return await resolvePayment({ tenantId, paymentId, ...given });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    resolving.failure = refusalOf(error);
    return null;
  }
}

function take(state: State, progress: PaymentProgress): void {
  state.progress = progress;
  state.gateway = progress.gateway ?? state.gateway;
  const { asked, since } = state.asking ?? { asked: 0, since: Date.now() };
  state.asking = progress.asks ? { asked: asked + 1, since } : null;
  state.story = storyWith(state.story, progress);
}

function outcomeOf({ progress }: State): PaymentOutcome {
  return { paymentId: progress?.paymentId ?? '', status: progress?.status ?? 'Pending' };
}

async function pause(state: State): Promise<void> {
  const { waitMs, asks } = state.progress ?? { waitMs: 0, asks: false };
  const goesOn = () => state.nudged || state.resolving !== null;
  if (waitMs === null || waitMs <= 0) return;
  const then = asks ? 'then asks the gateway' : 'then looks again: it waits for its turn';
  const summary = summaryOf(`until ${secondOf(Date.now() + waitMs)}, ${then}`);
  await condition(goesOn, waitMs, { summary });
}

function record(input: CascadeInput, state: State): void {
  const { progress } = state;
  if (!progress) return;
  const { failureCode } = progress;
  const phase = phaseOf(progress);
  showAttributes([
    { key: phaseKey, value: phase },
    { key: failureCodeKey, value: failureCode },
  ]);
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  const facts = factsOf(input, progress, state.asking);
  setDetails(`${input.title}: ${phase}${failure}`, facts, state.story);
}

function phaseOf({ done, status, asks, phase }: PaymentProgress): string {
  if (done) return status;
  return asks && !isLong({ phase, status }) ? 'Asking' : (phase ?? status);
}

/* A payment's details in the Web UI: customer and amount, what happened, what comes next. */

/** Gateways are slow at times, so a call is called stuck only after this time without an answer. */
const STUCK_AFTER_MS = 60_000;

function factsOf(
  { customer, title }: CascadeInput,
  progress: PaymentProgress,
  asking: Asking | null,
): (string | null)[] {
  const { amount, done, did, status, waitMs, asks, creditNotes = [] } = progress;
  const waits = waitMs !== null && waitMs > 0;
  const look = asks && !isAnother(progress) ? 'asks the gateway again' : 'looks again';
  const next = waits ? `${look} at ${secondOf(Date.now() + waitMs)}` : 'continues at once';
  return [
    customer ? nameOf(customer) : null,
    amount === undefined || title.includes(amount) ? null : `amount: ${amount}`,
    notesOf(title, creditNotes),
    ...(asking && status !== 'ActionRequired' ? askingFacts(asking, progress) : []),
    ...(status === 'ActionRequired' ? [did] : []),
    `next: ${done ? 'nothing, it is final' : next}`,
  ];
}

/** `for credit note 1002`, unless the title says so already. */
function notesOf(title: string, numbers: readonly string[]): string | null {
  const what = numbers.length === 1 ? 'credit note' : 'credit notes';
  const text = `for ${what} ${numbers.join(', ')}`;
  return numbers.length === 0 || title.includes(text) ? null : text;
}

/** The gateway has another call under its key, and is asked no more until a person resolves it. */
const isAnother = ({ failureCode }: Pick<PaymentProgress, 'failureCode'>): boolean =>
  failureCode === 'gateway.difference';

function askingFacts({ since, asked }: Asking, progress: PaymentProgress): string[] {
  const isProcessing = progress.phase === 'Processing';
  const isStuck = Date.now() - since >= STUCK_AFTER_MS;
  const state = isProcessing ? 'under way' : isStuck ? 'stuck' : 'without an answer';
  const facts = [`${state} since ${secondOf(since)}: asked ${asked} times so far`];
  if (isAnother(progress)) {
    facts.push(
      'its call at the gateway is another one: compare them, then send the Update resolve, with a reason',
    );
  } else if (isProcessing || isStuck) {
    facts.push('what the gateway never answers is closed by the Update resolve, with a reason');
  }
  return facts;
}

/** A look with the same result as the previous one only renews its time. */
function storyWith(story: readonly string[], progress: PaymentProgress): readonly string[] {
  const { paymentId, did, failureCode } = progress;
  const failure = failureCode === null ? '' : ` (${failureCode})`;
  const words = `: payment ${paymentId} ${did}${failure}`;
  const before = story.at(-1)?.endsWith(words) ? story.slice(0, -1) : story;
  return lastOf(before, [`${secondOf(Date.now())}${words}`]);
}
