/**
 * Answers that show what continues after the commit, a payment or a job: the call waits for it,
 * within a limit, and shows its state then; a replay shows the current state.
 */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { Answer } from './answer.ts';
import { reading, type RouteDependencies } from './services.ts';
import type { Made, PresentOf } from './call.ts';

/** How a call waits for the object that it shows, and reads it. */
export interface Continuing<Result> {
  /** The status while it is in progress. */
  readonly pendingStatus: number;
  readonly idOf: (result: Result) => number;
  readonly statusOf: (result: Result) => number;
  /** Waits outside any transaction; false if there is nothing to wait for. Never throws. */
  readonly wait: (tenant: TenantInfo, result: Result) => Promise<boolean>;
  /** Reads its current state in one statement. */
  readonly read: (tx: Pick<Tx, 'query'>, tenant: TenantInfo, id: number) => Promise<Result>;
}

export interface ContinuingAnswers<Result> {
  readonly made: (result: Result) => Made;
  readonly presentOf: (tenant: TenantInfo) => PresentOf;
  /** The answer after the wait; `answer` if there is nothing to wait for. */
  readonly afterWait: (tenant: TenantInfo, result: Result, answer: Answer) => Promise<Answer>;
}

export function continuingAnswers<Result>(
  dependencies: RouteDependencies,
  shown: Continuing<Result>,
  answerOf: (result: Result, status: number) => Answer,
): ContinuingAnswers<Result> {
  const show = (result: Result): Answer => answerOf(result, shown.statusOf(result));
  const presentOf =
    (tenant: TenantInfo): PresentOf =>
    async (tx, id) =>
      show(await shown.read(tx, tenant, id));
  return {
    presentOf,
    made: (result) => ({ answer: show(result), continuingId: shown.idOf(result) }),
    async afterWait(tenant, result, answer) {
      if (!(await shown.wait(tenant, result))) return answer;
      try {
        return await reading(dependencies, tenant, async (tx) =>
          show(await shown.read(tx, tenant, shown.idOf(result))),
        );
      } catch {
        // It is stored and will be processed, so a later failure does not change the answer.
        return answer;
      }
    },
  };
}
