/** A usage record as the interface shows it. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { formatAmount, priceText, type Decimal } from '../../domain/money/money.ts';
import type { PlacedRecord } from '../../domain/usage/placing.ts';
import { processedOn, type FreeRecord } from '../../domain/usage/free.ts';
import { amountOfRecord, type BilledUsage } from '../../domain/usage/shares.ts';

export interface ActivityView {
  readonly id: number;
  readonly status: 'Unbilled' | 'Processed';
  readonly extRefId: string | null;
  readonly extCustomerRef: string | null;
  readonly customerId: number;
  readonly orderNumber: string;
  readonly orderId: number;
  readonly orderLineItemId: number;
  readonly priceCode: string;
  readonly quantity: Decimal;
  /** Null until it is billed, unless it was supplied. */
  readonly amount: Decimal | null;
  readonly unitPrice: Decimal | null;
  readonly chargeDate: IsoDate;
  readonly chargeEndDate: IsoDate | null;
  readonly invoiceText: string | null;
  readonly correctsExtRefId: string | null;
  readonly invoiceNumber: string | null;
  readonly activityBatchId: number;
  readonly dateCreated: IsoDate;
}

/** A stored record, with the sums of its window. */
export interface ActivityRow extends Omit<ActivityView, 'status' | 'orderNumber'> {
  /** Of a record without a window, of an order with a trial. */
  readonly free: FreeRecord | null;
  readonly orderNumber: number;
  readonly currency: string;
  /** What its billed window's records without an amount share; null if there are none. */
  readonly shared: Omit<BilledUsage, 'currency'> | null;
}

export interface ViewBasis {
  /** Null where nobody looks at what is free. */
  readonly today: IsoDate | null;
  /** The tenant's. */
  readonly usageGraceDays: number;
}

export function viewOfRow(
  { shared, currency, free, ...row }: ActivityRow,
  { today, usageGraceDays }: ViewBasis,
): ActivityView {
  const { id, quantity, unitPrice, orderNumber, invoiceNumber } = row;
  const share = shared && amountOfRecord({ id, quantity }, { ...shared, currency });
  const freeOn = free && processedOn(free, usageGraceDays);
  const isFree = freeOn !== null && today !== null && freeOn <= today;
  const amount = row.amount ?? (isFree ? '0' : share);
  return {
    ...row,
    status: invoiceNumber === null && !isFree ? 'Unbilled' : 'Processed',
    orderNumber: String(orderNumber),
    amount: amount === null ? null : formatAmount(currency, amount),
    unitPrice: unitPrice === null ? null : priceText(currency, unitPrice),
  };
}

interface Stored {
  readonly id: number;
  readonly batchId: number;
  readonly today: IsoDate;
}

/** A record that was just stored, as `viewOfRow` shows it. */
export function viewOfPlaced(placed: PlacedRecord, { id, batchId, today }: Stored): ActivityView {
  const { record, line, unitPrice } = placed;
  const { order, charge } = line;
  return {
    id,
    status: 'Unbilled',
    extRefId: record.extRefId,
    extCustomerRef: order.extCustomerRef,
    customerId: order.customerId,
    orderNumber: order.number,
    orderId: order.id,
    orderLineItemId: line.id,
    priceCode: charge.priceCode,
    quantity: placed.quantity,
    amount: placed.amount,
    unitPrice: unitPrice === null ? null : priceText(order.currency, unitPrice),
    chargeDate: placed.chargeDate,
    chargeEndDate: record.chargeEndDate,
    invoiceText: record.invoiceText,
    correctsExtRefId: record.correctsExtRefId,
    invoiceNumber: null,
    activityBatchId: batchId,
    dateCreated: today,
  };
}
