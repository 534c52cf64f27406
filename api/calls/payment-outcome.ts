/**
 * Answers that show a payment: after the commit the call waits for the payment, within a limit, and
 * shows its state then; a replay shows the current state.
 */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { Answer } from './answer.ts';
import { reading } from './services.ts';
import type { RouteDependencies } from './services.ts';
import type { Made, PresentOf } from './call.ts';

/** How a call waits for the payment that it shows, and reads it. */
export interface AwaitedPayment<Result> {
  /** The status while the payment is in progress. */
  readonly pendingStatus: number;
  readonly idOf: (result: Result) => number;
  readonly statusOf: (result: Result) => number;
  /** Waits outside any transaction; false if there is nothing to wait for. Never throws. */
  readonly wait: (tenant: TenantInfo, result: Result) => Promise<boolean>;
  /** Reads its current state in one statement. */
  readonly read: (tx: Pick<Tx, 'query'>, tenant: TenantInfo, id: number) => Promise<Result>;
}

export interface PaymentAnswers<Result> {
  readonly made: (result: Result) => Made;
  readonly presentOf: (tenant: TenantInfo) => PresentOf;
  /** The answer after the wait; `answer` if there is nothing to wait for. */
  readonly afterWait: (tenant: TenantInfo, result: Result, answer: Answer) => Promise<Answer>;
}

export function paymentAnswers<Result>(
  dependencies: RouteDependencies,
  payment: AwaitedPayment<Result>,
  answerOf: (result: Result, status: number) => Answer,
): PaymentAnswers<Result> {
  const shown = (result: Result): Answer => answerOf(result, payment.statusOf(result));
  const presentOf =
    (tenant: TenantInfo): PresentOf =>
    async (tx, id) =>
      shown(await payment.read(tx, tenant, id));
  return {
    presentOf,
    made: (result) => ({ answer: shown(result), paymentId: payment.idOf(result) }),
    async afterWait(tenant, result, answer) {
      if (!(await payment.wait(tenant, result))) return answer;
      try {
        return await reading(dependencies, tenant, async (tx) =>
          shown(await payment.read(tx, tenant, payment.idOf(result))),
        );
      } catch {
        // The payment is stored and will be processed, so a later failure does not change the answer.
        return answer;
      }
    },
  };
}
