/**
 * Carries a batch job: reads its file once, imports its rows slice after slice, and ends it with its
 * result file. The line item files of invoices are workflows below that of the invoices.
 */
import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  getExternalWorkflowHandle,
  patched,
  setHandler,
  ChildWorkflowFailure,
  sleep,
  startChild,
  workflowInfo,
  type ChildWorkflowHandle,
  type SignalDefinition,
} from '@temporalio/workflow';
import {
  importActivities,
  steeringActivities,
  type FinishedImport,
  type PreparedImport,
  type SliceProgress,
} from './activities.ts';
import {
  cancelImport,
  invoicesCancelled,
  invoicesDone,
  linesStaged,
  resumeImport,
  type BatchEnd,
  type BatchInput,
  type WithReason,
} from './contract/imports.ts';
import { showBatch, type BatchPhase, type BatchState } from './story/batch.ts';
import { asRefusal, refusal, requestIdOfUpdate, assertGiven, trimmed } from './loops/updates.ts';
import { listenForNudges, type Nudges } from './loops/wakes.ts';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';

export async function batchImport(input: BatchInput): Promise<BatchEnd> {
  const nudges = listenForNudges('The job was finalized, or its turn has come.');
  const state = newState(input);
  listen(input, state);
  enter(state, 'Reading');
  const prepared = await prepareInTurn(input, state, nudges);
  if (prepared === null) return endOf(state, null);
  state.prepared = prepared;
  const finished =
    prepared.kind === 'init'
      ? await carryOver(input, state)
      : await importFile(input, state, prepared);
  state.finished = finished;
  // Line items are done with their invoices.
  if (prepared.kind === 'lines') state.rowsDone = finished.successes + finished.failures;
  enter(state, 'Done');
  await condition(allHandlersFinished);
  return endOf(state, finished);
}

/** The jobs of a tenant come one after the other; the end of one nudges the next. */
async function prepareInTurn(
  input: BatchInput,
  state: BatchState,
  nudges: Nudges,
): Promise<PreparedImport | null> {
  for (;;) {
    nudges.nudged = false;
    const prepared = await persistently(state, () =>
      importActivities('reads the file once').prepareImport(stepOf(input)),
    );
    if (prepared === null || !('waitsFor' in prepared)) return prepared;
    state.waitsFor = prepared.waitsFor;
    enter(state, 'Waiting for its turn');
    await condition(() => nudges.nudged || state.isCancelled);
    enter(state, 'Reading');
  }
}

async function importFile(
  input: BatchInput,
  state: BatchState,
  prepared: PreparedImport,
): Promise<FinishedImport> {
  const { kind, childIds } = prepared;
  const children = carryChildren(input, state, childIds);
  if (childIds.length > 0) {
    enter(state, 'Waiting for line items');
    await condition(() => childIds.every((id) => state.staged.has(String(id))));
  }
  enter(state, kind === 'lines' ? 'Staging' : 'Importing');
  await importRows(input, state);
  if (kind === 'lines') {
    enter(state, 'Waiting for invoices');
    await getExternalWorkflowHandle(input.parent ?? '').signal(linesStaged, input.batchId);
    await condition(() => state.isInvoicesDone);
  }
  state.isRowsDone = true;
  await children.finish();
  enter(state, 'Finishing');
  return persistently(state, () =>
    importActivities('writes the result file').finishImport(stepOf(input)),
  );
}

async function importRows(input: BatchInput, state: BatchState): Promise<void> {
  for (;;) {
    const progress = await persistently(state, () =>
      importActivities(`goes on after row ${state.rowsDone}`).importSlice(stepOf(input)),
    );
    // The file is no longer there.
    if (progress === null) return;
    note(state, progress);
    showBatch(state);
    if (progress.isDone) return;
  }
}

function note(state: BatchState, { failures, rowsDone, passwords }: SliceProgress): void {
  for (const [code, count] of Object.entries(failures)) {
    state.codes[code] = (state.codes[code] ?? 0) + count;
  }
  state.rowsDone = rowsDone;
  state.passwords = passwords;
}

async function carryOver(input: BatchInput, state: BatchState): Promise<FinishedImport> {
  enter(state, 'Carrying over');
  for (;;) {
    const progress = await persistently(state, () =>
      importActivities(`goes on after ${state.rowsDone} customers`).carryOver(stepOf(input)),
    );
    const { customersDone, customersFailed: failures, customers, status } = progress;
    state.rowsDone = customersDone;
    state.prepared = { kind: 'init', childIds: [], rowCount: customers };
    showBatch(state);
    if (status !== 'Queued') return { status, successes: customersDone - failures, failures };
  }
}

/** Repeats what fails for good once a person resumes it; a cancelled job then does no more rows. */
async function persistently<Result>(
  state: BatchState,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      await waitForPerson(state, error);
    }
  }
}

async function waitForPerson(state: BatchState, error: ActivityFailure): Promise<void> {
  const { phase, isCancelled } = state;
  state.fault = error.cause?.message ?? error.message;
  enter(state, 'Waiting after a fault');
  state.isResumed = false;
  await condition(() => state.isResumed || state.isCancelled !== isCancelled);
  state.fault = null;
  enter(state, phase);
}

function newState(input: BatchInput): BatchState {
  return {
    title: input.title,
    prepared: null,
    waitsFor: null,
    phase: 'Reading',
    beganAt: Date.now(),
    rowsDone: 0,
    passwords: 0,
    codes: {},
    fault: null,
    isCancelled: false,
    isResumed: false,
    staged: new Set(),
    isInvoicesDone: false,
    isRowsDone: false,
    finished: null,
  };
}

function listen(input: BatchInput, state: BatchState): void {
  setHandler(linesStaged, (batchId) => void state.staged.add(batchId), {
    description: 'From a file of line items: it is read.',
  });
  setHandler(invoicesDone, () => void (state.isInvoicesDone = true), {
    description: 'From the invoices of a file of line items: their rows are done.',
  });
  setHandler(invoicesCancelled, () => void (state.isCancelled = true), {
    description: 'From the invoices of a file of line items: their import was cancelled.',
  });
  setHandler(
    cancelImport,
    async (given) => {
      try {
        await steeringActivities().cancelImport({ ...stepOf(input), ...trimmed(given) });
      } catch (error) {
        throw asRefusal(error);
      }
      state.isCancelled = true;
    },
    {
      description:
        'Stops the import after the rows under way: { "reason": "...", "by": "your name" }. What is ' +
        'imported stays, and the result file says which rows were not.',
      validator: (given) => assertOpen(state, given),
    },
  );
  setHandler(
    resumeImport,
    async (given) => {
      const asked = { ...stepOf(input), ...trimmed(given), requestId: requestIdOfUpdate() };
      // Older histories have no name, and no activity for it.
      if (asked.by !== undefined) await steeringActivities().noteResumed(asked);
      state.isResumed = true;
    },
    {
      description:
        'Goes on after a fault that was seen to: { "reason": "...", "by": "your name" }.',
      validator: (given) => {
        assertOpen(state, given);
        if (state.fault === null) throw refusal('the job does not wait after a fault');
      },
    },
  );
}

function assertOpen(state: BatchState, given: Partial<WithReason> | null | undefined): void {
  assertGiven(given);
  if (state.finished !== null) throw refusal('the job has ended');
}

function enter(state: BatchState, phase: BatchPhase): void {
  state.phase = phase;
  showBatch(state);
}

function stepOf({ tenantId, batchId }: BatchInput) {
  return { tenantId, batchId };
}

function endOf({ codes }: BatchState, finished: FinishedImport | null): BatchEnd {
  const { status = 'Gone', successes = 0, failures = 0 } = finished ?? {};
  return { status, successes, failures, codes };
}

/* Runs the files of line items of an invoice job as workflows below it. */

interface Children {
  /** Tells them that the rows of the invoices are done, and waits until they have ended. */
  readonly finish: () => Promise<void>;
}

type BatchWorkflow = (input: BatchInput) => Promise<BatchEnd>;
type Child = ChildWorkflowHandle<BatchWorkflow>;

/** A person who ended the workflow of a file may want to see to something before it comes back. */
const BACK_AFTER = '1 minute';

/** Starts a workflow for each file; one that a person ends is started again, sooner on `resume`. */
function carryChildren(
  input: BatchInput,
  state: BatchState,
  childIds: readonly number[],
): Children {
  const running = new Map<number, Child>();
  const ended = childIds.map((id) => carryChild(id));
  if (childIds.length > 0) void signalCancelled();
  return {
    async finish() {
      await Promise.all([...running.values()].map((child) => signalChild(child, invoicesDone)));
      await Promise.all(ended);
    },
  };

  /** One that waits for a person after a fault goes on to its end. */
  async function signalCancelled(): Promise<void> {
    await condition(() => state.isCancelled);
    await Promise.all([...running.values()].map((child) => signalChild(child, invoicesCancelled)));
  }

  async function carryChild(childId: number): Promise<void> {
    for (;;) {
      const child = await start(input, childId);
      running.set(childId, child);
      if (state.isRowsDone) await signalChild(child, invoicesDone);
      if (state.isCancelled) await signalChild(child, invoicesCancelled);
      try {
        await child.result();
        // One that ended under an earlier workflow of the invoices says no word.
        state.staged.add(String(childId));
        return;
      } catch (error) {
        if (!(error instanceof ChildWorkflowFailure)) throw error;
        state.fault = `the workflow of batch ${childId} was ended`;
        state.isResumed = false;
        showBatch(state);
        const goesOn = () => state.isResumed || state.isCancelled;
        // Older histories waited for a person.
        if (patched('ended-files-return')) await condition(goesOn, BACK_AFTER);
        else await condition(goesOn);
        state.fault = null;
      }
    }
  }
}

/** The engine ends the files of an earlier workflow of the invoices, but not at once. */
const START_AGAIN = '2 seconds';

async function start(input: BatchInput, childId: number): Promise<Child> {
  for (;;) {
    try {
      return await startOnce(input, childId);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await sleep(START_AGAIN);
    }
  }
}

function startOnce(input: BatchInput, childId: number): Promise<Child> {
  const { workflowId, typedSearchAttributes } = workflowInfo();
  const title = input.title.replace(input.batchId, String(childId));
  return startChild<BatchWorkflow>('batchImport', {
    workflowId: workflowId.replace(/\d+$/, String(childId)),
    args: [{ tenantId: input.tenantId, batchId: String(childId), title, parent: workflowId }],
    staticSummary: title,
    typedSearchAttributes: typedSearchAttributes.getAll(),
  });
}

/** A child that has just ended needs no word. */
async function signalChild(child: Child, word: SignalDefinition): Promise<void> {
  await child.signal(word).catch(() => undefined);
}
