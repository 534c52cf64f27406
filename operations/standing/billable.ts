/** Builds the billing rules' view of an order from its row, its plan and its customer's status. */
import assert from 'node:assert';
import { isSuspending } from '../../domain/customers/status.ts';
import type { BillableOrder } from '../../domain/billing/billable-order.ts';
import type { CustomerStatus, IsoDate, Plan, Schedule } from '../../domain/model.ts';
import { statusOn, type OrderTerms } from '../../domain/orders/status.ts';
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
    startDate: row.start_date,
    endDate: standing.endDate,
    isAutoRenew: row.is_auto_renew,
    endedOn: row.ended_on,
    changeOn: row.change_on,
    creditFrom: row.credit_from,
    awaitsChange: awaitsChange(row),
    billsNothingMore: row.bills_nothing_more,
    pauses: row.pauses,
    customerSuspended: isSuspending(customerStatus),
    usageGraceDays,
    lines: row.lines.map((line) => {
      const charge = charges.get(line.charge_id);
      assert(charge, `order line ${line.id} names a charge of another plan`);
      return {
        id: line.id,
        position: line.position,
        charge,
        quantity: line.quantity,
        unitPrice: line.unit_price,
        invoiceText: line.invoice_text,
        isActive: line.is_active,
        startsOn: line.starts_on,
        endsOn: line.ends_on,
        nextPeriodIndex: line.next_period_index,
        penaltySince: line.penalty_since,
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
    startDate: row.start_date,
    endDate: row.end_date,
    isAutoRenew: row.is_auto_renew,
    termStart: row.term_start,
    termFirstEnd: row.term_first_end,
    changeOn: row.change_on,
    awaitsChange: awaitsChange(row),
  };
}

/** Whether a stored order replaces one that still serves. */
export function awaitsChange({
  status,
  previous_order_id,
}: Pick<RatedOrder, 'status' | 'previous_order_id'>): boolean {
  return status === 'Provisioning' && previous_order_id !== null;
}
