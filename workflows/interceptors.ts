/**
 * Answers a request to cancel a workflow, of any kind: it goes on, because rows need it, and its
 * details say what to send instead. Refuses Updates in words alone. And hands the trace of whoever woke
 * it on to its activities.
 */
import {
  CancellationScope,
  type Headers,
  patched,
  workflowInfo,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import { answerInDetails } from './story/details.ts';
import { secondOf } from './story/story.ts';
import type * as workflows from './workflows.ts';

/** What a person does who wants a workflow to stop, by its type. */
const instead: Readonly<Record<keyof typeof workflows, string>> = {
  batchImport: 'send the Update cancel, which stops after the rows under way',
  billingRun: 'suspend the customers or orders that it is not to bill',
  callbacks: 'take the endpoint out of the tenant file',
  dunning: 'send the Update hold',
  mail: 'take the kinds of mails out of the tenant file',
  passwords: 'nothing: it ends once the imported passwords are hashed',
  payment: 'send the Update resolve, once its gateway has not answered',
  paymentPlan: 'send the Update skipInstallment, or disable the plan by the interface',
  report: 'nothing: it ends once its file is written',
  signup: 'send the Update cancel',
  subscription: 'suspend or cancel the order by the interface',
  taxRecords: 'cancel the invoice that is not to be recorded',
  testClock: 'nothing: it ends once the clock is at its target',
};

/**
 * Runs without a step of its own: one more would change the order of commands, and older histories
 * would not replay.
 */
class PlainScope extends CancellationScope {
  protected override runInContext<Result>(work: () => Promise<Result>): Promise<Result> {
    return work();
  }
}

export function interceptors(): WorkflowInterceptors {
  const { cancelRequested } = CancellationScope.current();
  const shield = new PlainScope({ cancellable: false });
  const scope = new PlainScope({ cancellable: true, parent: shield });
  void cancelRequested.catch(() => {
    if (patched('cancel-is-answered')) answerInDetails(answerOf(workflowInfo().workflowType));
    // Workflows that were cancelled before still show how they ended.
    else scope.cancel();
  });
  const trace = handsTraceOn();
  return {
    outbound: trace.outbound,
    internals: [{ concludeActivation: (input, next) => next(refusedInWords(input)) }],
    inbound: [
      ...trace.inbound,
      {
        execute: (input, next) => scope.run(() => next(input)),
        // Updates would run in the scope that is cancelled.
        handleUpdate: (input, next) => scope.run(() => next(input)),
      },
    ],
  };
}

type Internals = NonNullable<WorkflowInterceptors['internals']>[number];
type Concluded = Parameters<NonNullable<Internals['concludeActivation']>>[0];

/**
 * An Update that the SDK itself refuses, an unknown one or one whose input is no JSON, fails in words as
 * those of `refusal` do: a stack would name files of the server.
 */
function refusedInWords(concluded: Concluded): Concluded {
  for (const { updateResponse } of concluded.commands) {
    const { rejected } = updateResponse ?? {};
    if (rejected) rejected.stackTrace = '';
  }
  return concluded;
}

/** As `@temporalio/interceptors-opentelemetry` calls it in clients and activities. */
const TRACE_HEADER = '_tracer-data';
const RECENT_MS = 60_000;

/**
 * The trace of the last message belongs to what the workflow does until it sleeps. Nothing here waits,
 * and headers are no part of what a replay compares: histories of before replay as they are. The
 * package's own interceptors of workflows wait, so that turning traces on or off would change the order
 * of commands.
 */
function handsTraceOn(): Required<Pick<WorkflowInterceptors, 'inbound' | 'outbound'>> {
  let its: Headers = {};
  const take = (headers: Headers): void => {
    const header = headers[TRACE_HEADER];
    its = header === undefined ? {} : { [TRACE_HEADER]: header };
  };
  const handOn = <Input extends { readonly headers: Headers }>(input: Input): Input =>
    TRACE_HEADER in its ? { ...input, headers: { ...input.headers, ...its } } : input;
  return {
    inbound: [
      {
        execute(input, next) {
          // What made it long ago, before a delayed start, has nothing to do with what it does now.
          if (Date.now() - workflowInfo().startTime.getTime() < RECENT_MS) take(input.headers);
          return next(input);
        },
        handleSignal(input, next) {
          take(input.headers);
          return next(input);
        },
        handleUpdate(input, next) {
          take(input.headers);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(handOn(input)),
        scheduleLocalActivity: (input, next) => next(handOn(input)),
        startTimer(input, next) {
          its = {};
          return next(input);
        },
      },
    ],
  };
}

function answerOf(type: string): string {
  const text = Object.entries(instead).find(([name]) => name === type)?.[1];
  const goesOn = `cancel at ${secondOf(Date.now())}: goes on, because the books need it`;
  return text === undefined ? goesOn : `${goesOn}; instead: ${text}`;
}
