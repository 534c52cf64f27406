/** The rows of an order that was decided on, and what billing sees of it before it is stored. */
import { noUses } from '../../domain/discounts/uses.ts';
import type { OrderProposal } from '../../domain/orders/propose.ts';
import type { RatedOrder } from '../../db/queries/billing/load.ts';
import type { NewOrderRows } from './store.ts';
import type { OrderInsert, OrderLineInsert } from '../../db/queries/orders/write.ts';

export function orderInsert(order: OrderProposal): OrderInsert {
  const { dates } = order;
  return {
    id: order.id,
    status: dates.status,
    customer_id: order.customerId,
    plan_id: order.plan.id,
    coupon_id: order.coupon?.id ?? null,
    coupon_periods_before: order.couponPeriodsBefore,
    currency: order.currency,
    start_date: order.startDate,
    end_date: dates.endDate,
    term_start: order.termStart,
    term_first_end: order.termFirstEnd,
    is_auto_renew: order.isAutoRenew,
    anchor: order.anchor,
    first_period: order.firstPeriod,
    previous_order_id: order.previousOrderId,
    removed_order_id: null,
    separate_invoice: order.separateInvoice,
    job_code: order.jobCode,
    is_auto_pay: order.isAutoPay,
    due_date_value: order.dueDateValue,
    due_date_units: order.dueDateUnits,
    invoice_text: order.invoiceText,
    invoice_notes: order.invoiceNotes,
    notes: order.notes,
    next_billable_date: dates.nextBillableDate,
    bill_on: dates.billOn,
    transition_on: dates.transitionOn,
    takes_penalties: order.takesPenalties,
  };
}

export function lineInserts({ id, lines }: OrderProposal): OrderLineInsert[] {
  return lines.map((line) => ({
    id: line.id,
    order_id: id,
    position: line.position,
    charge_id: line.charge.id,
    quantity: line.quantity,
    unit_price: line.unitPrice,
    invoice_text: line.invoiceText,
    is_active: line.isActive,
    starts_on: line.startsOn,
    next_period_index: line.nextPeriodIndex,
    penalty_since: line.penaltySince ?? null,
  }));
}

/** A new order as it is stored, if nothing of it is billed before. */
export function newOrderRows(order: OrderProposal): NewOrderRows {
  return { order: orderInsert(order), lines: lineInserts(order), rated: ratedOrder(order) };
}

export function ratedOrder(order: OrderProposal): RatedOrder {
  return {
    ...orderInsert(order),
    order_number: null,
    change_on: null,
    credit_from: null,
    ended_on: null,
    bills_nothing_more: false,
    lines: lineInserts(order).map((line) => ({ ...line, ends_on: null, billed: [] })),
    pauses: order.pauses,
    coupon_uses: noUses,
  };
}
