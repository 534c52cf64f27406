/** The rows of an order that was decided on. */
import { orderToRate, type OrderProposal } from '../../domain/orders/propose.ts';
import type { NewOrderRows } from './store.ts';
import type { OrderInsert, OrderLineInsert } from '../../db/queries/orders/write.ts';

export function orderInsert(order: OrderProposal): OrderInsert {
  const { dates } = order;
  return {
    id: order.id,
    status: dates.status,
    customerId: order.customerId,
    planId: order.plan.id,
    couponId: order.coupon?.id ?? null,
    couponPeriodsBefore: order.couponPeriodsBefore,
    currency: order.currency,
    startDate: order.startDate,
    endDate: dates.endDate,
    termStart: order.termStart,
    termFirstEnd: order.termFirstEnd,
    isAutoRenew: order.isAutoRenew,
    anchor: order.anchor,
    firstPeriod: order.firstPeriod,
    previousOrderId: order.previousOrderId,
    removedOrderId: null,
    separateInvoice: order.separateInvoice,
    jobCode: order.jobCode,
    isAutoPay: order.isAutoPay,
    dueDateValue: order.dueDateValue,
    dueDateUnits: order.dueDateUnits,
    invoiceText: order.invoiceText,
    invoiceNotes: order.invoiceNotes,
    notes: order.notes,
    nextBillableDate: dates.nextBillableDate,
    billOn: dates.billOn,
    transitionOn: dates.transitionOn,
    takesPenalties: order.takesPenalties,
  };
}

export function lineInserts({ id, lines }: OrderProposal): OrderLineInsert[] {
  return lines.map((line) => ({
    id: line.id,
    orderId: id,
    position: line.position,
    chargeId: line.charge.id,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    invoiceText: line.invoiceText,
    isActive: line.isActive,
    startsOn: line.startsOn,
    nextPeriodIndex: line.nextPeriodIndex,
    penaltySince: line.penaltySince ?? null,
  }));
}

/** A new order as it is stored, if nothing of it is billed before. */
export function newOrderRows(order: OrderProposal): NewOrderRows {
  return { order: orderInsert(order), lines: lineInserts(order), rated: orderToRate(order) };
}
