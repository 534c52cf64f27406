/** Stores a new order that was decided on, with the invoices of its customer if they are asked for. */
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import {
  type OrderInsert,
  type OrderLineInsert,
  allowLinesBeforeOrder,
  insertOrder,
  insertOrderLines,
} from '../../db/queries/orders/write.ts';
import { type BegunInvoices, prepareInvoices, writeInvoices } from '../billing/generate.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import type { RemovedOrder } from './remove.ts';
import type { OrderToRate } from '../../domain/billing/order-to-rate.ts';
import { type OrderProposal, orderToRate } from '../../domain/orders/propose.ts';

/** The rows of a new order, and the order as it is rated before it is stored. */
export interface NewOrderRows {
  readonly order: OrderInsert;
  readonly lines: readonly OrderLineInsert[];
  readonly rated: OrderToRate;
}

export interface StoreOptions {
  /** Bills everything due of the customer at once. */
  readonly bills: boolean;
  /** Also bills this order's next due date, even if it is in the future. */
  readonly isForced?: boolean;
  /** What its invoices rest on, if the caller has read it. */
  readonly begun?: BegunInvoices | null;
  /** The order that it replaces, as the same transaction leaves it. */
  readonly replaced?: OrderToRate;
  /** The order that this transaction removed, whose place the new one takes. */
  readonly inPlaceOf?: RemovedOrder;
  /** Called after order.created was raised, and before any invoice. */
  readonly onCreated?: () => void;
}

const noMore = (): void => undefined;

/** Returns the invoices that it made. */
export async function storeOrder(
  dependencies: Dependencies,
  context: OperationContext,
  rows: NewOrderRows,
  { bills, isForced = false, begun, replaced, inPlaceOf, onCreated = noMore }: StoreOptions,
): Promise<readonly InvoiceInsert[]> {
  const { tx, time } = context;
  const { order, rated } = rows;
  const insert = (row: OrderInsert): void => {
    const removedOrderId = inPlaceOf?.id ?? null;
    insertOrder(tx, { ...row, removedOrderId }, time.now, inPlaceOf?.number);
  };
  if (!bills) {
    raiseCreated(context, order);
    onCreated();
    writeLines(context, rows);
    insert(order);
    return [];
  }
  const billing = await prepareInvoices(dependencies, context, order.customerId, {
    newOrder: rated,
    isForced,
    ...(begun && { begun }),
    ...(replaced && { replaced }),
  });
  const { newOrder } = billing;
  raiseCreated(context, order);
  onCreated();
  const priced = newOrder === null ? rows : withPrices(rows, newOrder.row);
  writeLines(context, priced, newOrder?.due.nextPeriodIndex);
  return writeInvoices(context, billing, () => insert({ ...priced.order, ...newOrder?.dates }));
}

/** A change of a day in the past may begin before the newest prices of its plan, and bill them, too. */
function withPrices({ order, lines, rated }: NewOrderRows, row: OrderToRate): NewOrderRows {
  const { planId, earlier = null } = row;
  const charges = new Map(row.lines.map((line) => [line.id, line.chargeId]));
  return {
    order: { ...order, planId, earlierPrices: earlier },
    lines: lines.map((line) => ({ ...line, chargeId: charges.get(line.id) ?? line.chargeId })),
    rated,
  };
}

/** Raised before the events of the order's first invoices. */
function raiseCreated(context: OperationContext, { id, customerId, status }: OrderInsert): void {
  // A Draft is mailed when it leaves that status.
  const detail = status === 'Draft' ? { draft: true } : undefined;
  raise(context, [{ type: 'order.created', customerId, objectId: id, objectVersion: 1, detail }]);
}

/** Written before the order, whose number locks the tenant's counter until the commit. */
function writeLines(
  context: OperationContext,
  { order, lines }: NewOrderRows,
  nextPeriodIndexes: ReadonlyMap<number, number> = new Map(),
): void {
  const { tx, time } = context;
  allowLinesBeforeOrder(tx);
  const billed = lines.map((line) => ({
    ...line,
    nextPeriodIndex: nextPeriodIndexes.get(line.id) ?? line.nextPeriodIndex,
  }));
  insertOrderLines(tx, billed, time);
  enqueue(context, [{ kind: 'order', objectId: order.id }]);
}

/* The rows of an order that was decided on. */

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
    trialEndDate: order.trialEndDate,
    trialDays: order.trialDays,
    endDate: dates.endDate,
    termStart: order.termStart,
    termFirstEnd: order.termFirstEnd,
    isAutoRenew: order.isAutoRenew,
    cancelReason: order.cancelReason,
    keptAutoRenew: order.keptAutoRenew,
    keptEndDate: order.keptEndDate,
    billedThrough: order.billedThrough,
    arrearsBilledThrough: order.arrearsBilledThrough,
    anchor: order.anchor,
    firstPeriod: order.firstPeriod,
    previousOrderId: order.previousOrderId,
    removedOrderId: null,
    separateInvoice: order.separateInvoice,
    jobCode: order.jobCode,
    purchaseOrder: order.purchaseOrder,
    isAutoPay: order.isAutoPay,
    dueDateValue: order.dueDateValue,
    dueDateUnits: order.dueDateUnits,
    invoiceText: order.invoiceText,
    invoiceNotes: order.invoiceNotes,
    notes: order.notes,
    metadata: order.metadata,
    nextBillableDate: dates.nextBillableDate,
    billOn: dates.billOn,
    transitionOn: dates.transitionOn,
    priceChangeOn: dates.priceChangeOn,
    earlierPrices: null,
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
