/** Builds the billing rules' view of an order from its row, its plan and its customer's status. */
import assert from 'node:assert';
import { isSuspending, type CustomerStatus } from '../../domain/customers/status.ts';
import type { BillableOrder } from '../../domain/billing/billable-order.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { Schedule } from '../../domain/calendar/schedule.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { statusOn, type OrderTerms } from '../../domain/standing/status.ts';
import type { RatedOrder } from '../../db/queries/billing/load.ts';

/** What the rules need of a customer, its tenant and the day. */
export interface BillableBasis {
  readonly customerStatus: CustomerStatus;
  readonly today: IsoDate;
  /** The tenant's. */
  readonly usageGraceDays: number;
}

/** The order for the rules, in its status of that day. */
export function billableOn(
  row: RatedOrder,
  plan: Plan,
  { customerStatus, today, usageGraceDays }: BillableBasis,
): BillableOrder {
  const standing = statusOn(termsOfRow(row), today);
  const charges = new Map(plan.charges.map((charge) => [charge.id, charge]));
  return {
    id: row.id,
    status: standing.status,
    currency: row.currency,
    schedule: scheduleOfRow(row, plan),
    startDate: row.startDate,
    endDate: standing.endDate,
    isAutoRenew: row.isAutoRenew,
    endedOn: row.endedOn,
    changeOn: row.changeOn,
    creditFrom: row.creditFrom,
    awaitsChange: awaitsChange(row),
    billsNothingMore: row.billsNothingMore,
    pauses: row.pauses,
    customerSuspended: isSuspending(customerStatus),
    usageGraceDays,
    lines: row.lines.map((line) => {
      const charge = charges.get(line.chargeId);
      assert(charge, `order line ${line.id} names a charge of another plan`);
      return {
        id: line.id,
        position: line.position,
        charge,
        quantity: line.quantity,
        unitPrice: line.unitPrice,
        invoiceText: line.invoiceText,
        isActive: line.isActive,
        startsOn: line.startsOn,
        endsOn: line.endsOn,
        nextPeriodIndex: line.nextPeriodIndex,
        penaltySince: line.penaltySince,
        billed: line.billed,
        ...(line.windows && { windows: line.windows }),
      };
    }),
  };
}

/** The periods of a stored order. */
export function scheduleOfRow(
  { anchor }: Pick<RatedOrder, 'anchor'>,
  { billingPeriod, alignmentDay }: Plan,
): Schedule {
  return { billingPeriod, anchor, alignmentDay };
}

/** The order's status and term as they are stored. */
export function termsOfRow(row: RatedOrder): OrderTerms {
  return {
    status: row.status,
    startDate: row.startDate,
    endDate: row.endDate,
    isAutoRenew: row.isAutoRenew,
    termStart: row.termStart,
    termFirstEnd: row.termFirstEnd,
    changeOn: row.changeOn,
    awaitsChange: awaitsChange(row),
  };
}

/** Whether a stored order replaces one that still serves. */
export function awaitsChange({
  status,
  previousOrderId,
}: Pick<RatedOrder, 'status' | 'previousOrderId'>): boolean {
  return status === 'Provisioning' && previousOrderId !== null;
}
