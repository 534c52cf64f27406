/** What workflows may ask for: each opens an operation, and maps its errors once. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { DomainError } from '../domain/errors.ts';
import { billTenant, planBillingRun } from '../operations/billing-run.ts';
import type { Engine } from '../operations/engine.ts';
import { followOrder } from '../operations/follow.ts';
import type { Services } from '../operations/services.ts';
import { advanceClock } from '../operations/test-clock.ts';
import type {
  BillingRunPlan,
  BillingRunProgress,
  ClockProgress,
  Followed,
  TenantInput,
} from '../workflows/contract.ts';

export interface ActivityOptions {
  /** Batches that a billing run has under way at once. */
  readonly billingLanes: number;
}

/** @see SubscriptionInput */
export interface FollowInput extends TenantInput {
  readonly orderId: string;
  /** How often in a row the due order was left to the billing run. */
  readonly yields: number;
}

export type Activities = ReturnType<typeof createActivities>;

export function createActivities(services: Services, engine: Engine, options: ActivityOptions) {
  return {
    follow: (input: FollowInput): Promise<Followed> =>
      mapped(() =>
        followOrder(services, Number(input.tenantId), {
          orderId: Number(input.orderId),
          yields: input.yields,
        }),
      ),

    planBillingRun: (input: TenantInput): Promise<BillingRunPlan> =>
      mapped(() => planBillingRun(services, Number(input.tenantId))),

    billTenant: (input: TenantInput & { readonly runOn: string }): Promise<BillingRunProgress> =>
      mapped(() =>
        billTenant(services, Number(input.tenantId), {
          runOn: input.runOn,
          lanes: options.billingLanes,
          ...pulse(),
        }),
      ),

    advanceClock: (input: TenantInput): Promise<ClockProgress> =>
      mapped(() =>
        advanceClock(services, engine, Number(input.tenantId), {
          lanes: options.billingLanes,
          ...pulse(),
        }),
      ),
  };
}

/** How a long operation shows that it lives, and learns that this worker is to end. */
function pulse(): { readonly onProgress: () => void; readonly signal: AbortSignal } {
  const context = Context.current();
  return { onProgress: () => context.heartbeat(), signal: context.cancellationSignal };
}

/** A caller's mistake does not mend itself by trying again; everything else may. */
async function mapped<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) {
      throw ApplicationFailure.nonRetryable(error.message, error.code);
    }
    const state = sqlStateOf(error);
    // The texts of database errors may quote a row; a history keeps codes only.
    if (state !== null) throw ApplicationFailure.retryable(`database error ${state}`, state);
    throw error;
  }
}

function sqlStateOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
