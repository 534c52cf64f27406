/** The activities of payment plans. */
import type { Dependencies } from '../operations/context/context.ts';
import { skipAndWake, wakePaymentPlan } from '../operations/payment-plans/wake.ts';
import type { WakeHooks } from '../operations/wakes/wake.ts';
import type { TenantInput, PlanWake } from '../workflows/contract/contract.ts';
import { mapped } from './mapped.ts';

/** @see PaymentPlanInput */
export interface PlanInput extends TenantInput {
  readonly planId: string;
}

export interface SkipInput extends PlanInput {
  readonly reason: string;
  readonly by?: string | undefined;
  /** The same for each repetition of a request. */
  readonly requestKey: string;
}

export function createPlanActivities(dependencies: Dependencies, options: WakeHooks) {
  return {
    followPlan: (input: PlanInput): Promise<PlanWake> =>
      mapped(() =>
        wakePaymentPlan(dependencies, Number(input.tenantId), Number(input.planId), options),
      ),

    skipPlanInstallment: (input: SkipInput): Promise<PlanWake> =>
      mapped(() => {
        const { reason, by, requestKey } = input;
        const request = { planId: Number(input.planId), reason, by, requestKey };
        return skipAndWake(dependencies, Number(input.tenantId), request, options);
      }),
  };
}
