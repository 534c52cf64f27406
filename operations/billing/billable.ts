/** Builds the billing rules' view of an order from its row, its plan and its customer's status. */
import assert from 'node:assert';
import type { BillableOrder, CustomerStatus, IsoDate, Plan } from '../../domain/model.ts';
import { statusOn, type OrderTerms } from '../../domain/orders/status.ts';
import type { OrderRow } from '../../db/queries/billing/load.ts';

/** The order for the rules, in its status of that day. */
export function billableOn(
  row: OrderRow,
  plan: Plan,
  customerStatus: CustomerStatus,
  today: IsoDate,
): BillableOrder {
  const standing = statusOn(termsOfRow(row), today);
  const charges = new Map(plan.charges.map((charge) => [charge.id, charge]));
  return {
    id: row.id,
    status: standing.status,
    currency: row.currency,
    schedule: {
      billingPeriod: plan.billingPeriod,
      anchor: row.anchor,
      alignmentDay: plan.alignmentDay,
    },
    startDate: row.start_date,
    endDate: standing.endDate,
    isAutoRenew: row.is_auto_renew,
    endedOn: row.ended_on,
    billsNothingMore: row.bills_nothing_more,
    pauses: row.pauses,
    customerSuspended: isSuspending(customerStatus),
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
        nextPeriodIndex: line.next_period_index,
        billed: line.billed,
      };
    }),
  };
}

/** The order's status and term as they are stored. */
export function termsOfRow(row: OrderRow): OrderTerms {
  return {
    status: row.status,
    startDate: row.start_date,
    endDate: row.end_date,
    isAutoRenew: row.is_auto_renew,
    termStart: row.term_start,
    termFirstEnd: row.term_first_end,
  };
}

/** Whether this status of a customer pauses the billing of its orders. */
export function isSuspending(status: CustomerStatus): boolean {
  return status.startsWith('Suspended') || status.startsWith('InActive');
}
