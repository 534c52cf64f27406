/** Runs the files of line items of an invoice job as workflows below it. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowFailure,
  condition,
  sleep,
  startChild,
  workflowInfo,
  type ChildWorkflowHandle,
  type SignalDefinition,
} from '@temporalio/workflow';
import { showBatch } from './batch-story.ts';
import type { BatchState } from './batch-story.ts';
import { invoicesCancelled, invoicesDone } from './contract-imports.ts';
import type { BatchEnd, BatchInput } from './contract-imports.ts';

export interface Children {
  /** Tells them that the rows of the invoices are done, and waits until they have ended. */
  readonly finish: () => Promise<void>;
}

type BatchWorkflow = (input: BatchInput) => Promise<BatchEnd>;
type Child = ChildWorkflowHandle<BatchWorkflow>;

/** Starts a workflow for each file; one that a person ends is started again on `resume`. */
export function carryChildren(
  input: BatchInput,
  state: BatchState,
  childIds: readonly number[],
): Children {
  const running = new Map<number, Child>();
  const ended = childIds.map((id) => carryChild(id));
  if (childIds.length > 0) void tellCancelled();
  return {
    async finish() {
      await Promise.all([...running.values()].map((child) => tell(child, invoicesDone)));
      await Promise.all(ended);
    },
  };

  /** One that waits for a person after a fault goes on to its end. */
  async function tellCancelled(): Promise<void> {
    await condition(() => state.isCancelled);
    await Promise.all([...running.values()].map((child) => tell(child, invoicesCancelled)));
  }

  async function carryChild(childId: number): Promise<void> {
    for (;;) {
      const child = await start(input, childId);
      running.set(childId, child);
      if (state.isRowsDone) await tell(child, invoicesDone);
      if (state.isCancelled) await tell(child, invoicesCancelled);
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
        await condition(() => state.isResumed || state.isCancelled);
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
async function tell(child: Child, word: SignalDefinition): Promise<void> {
  await child.signal(word).catch(() => undefined);
}
