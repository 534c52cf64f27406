/** Decides how far a payment plan is: which installments have had their turn, and whether it ends. */
import type { IsoDate } from '../calendar/calendar.ts';
import { nextInstallmentDay, type InstallmentSchedule } from './schedule.ts';

export interface PlanProgress {
  /** The installments that have had their turn. */
  readonly counted: number;
  readonly isEnabled: boolean;
  /** The day on which it ended or was disabled; null while it is enabled. */
  readonly endedOn: IsoDate | null;
}

export interface ScheduledPlan extends PlanProgress, InstallmentSchedule {
  readonly totalNumberOfInstallments: number;
}

export interface PlanTurn {
  /** The day of the installment that has had its turn; null if the plan counts none. */
  readonly countedOn: IsoDate | null;
  /** One of its installments, or a retry of one, is still due or has a payment under way. */
  readonly hasOpenAttempts: boolean;
  readonly today: IsoDate;
}

export interface PlanAfter extends PlanProgress {
  /** The installment to come after the one that was counted; null if there is none. */
  readonly next: { readonly installment: number; readonly dueOn: IsoDate } | null;
  readonly hasEnded: boolean;
}

/**
 * The plan after something happened to its installments. It ends once each has had its turn and
 * no attempt remains.
 *
 * @example // the last of three installments was paid
 *   planAfter({ ...plan, counted: 3 }, { countedOn: null, hasOpenAttempts: false,
 *     today: '2027-03-15' }).endedOn // '2027-03-15'
 */
export function planAfter(plan: ScheduledPlan, turn: PlanTurn): PlanAfter {
  const { countedOn, hasOpenAttempts, today } = turn;
  const counted = countedOn === null ? plan.counted : plan.counted + 1;
  const remains = counted < plan.totalNumberOfInstallments;
  const next =
    countedOn !== null && remains
      ? {
          installment: counted + 1,
          dueOn: nextInstallmentDay(plan, { after: countedOn, from: plan.startDate }),
        }
      : null;
  const hasEnded = plan.isEnabled && !remains && !hasOpenAttempts;
  const { isEnabled, endedOn } = plan;
  return hasEnded
    ? { counted, isEnabled: false, endedOn: today, next, hasEnded }
    : { counted, isEnabled, endedOn, next, hasEnded };
}
