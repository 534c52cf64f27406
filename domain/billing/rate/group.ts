/** The rating stage that groups the charges of a customer's orders into invoices. */
import type { OrderCoupon } from '../../discounts/uses.ts';
import type { BillableOrder } from '../order-to-rate.ts';
import type { Terms } from '../../calendar/terms.ts';
import type { Plan } from '../../plans/plan.ts';
import { type RatedCharge, planChargeOf } from '../charges.ts';

/** An order with the fields that invoices show and group by. */
export interface InvoicedOrder extends BillableOrder {
  /** Null for an order that is not stored yet: it gets the highest. */
  readonly orderNumber: number | null;
  /** 0: with other orders, 1: a separate invoice, 2: with orders of the same jobCode. */
  readonly separateInvoice: 0 | 1 | 2;
  readonly jobCode: string | null;
  /** Its own; null: its lines name the customer's. */
  readonly purchaseOrder: string | null;
  readonly dueTerms: Terms | null;
  readonly isAutoPay: boolean;
  readonly invoiceText: string | null;
  readonly plan: Plan;
  /** The coupon that discounts it; null if it has none. */
  readonly coupon: OrderCoupon | null;
  /** The order with whose charges its own are invoiced, by its id: the one that replaces it, or itself. */
  readonly invoicedWith: number;
}

/** The part of one order in one invoice: one line. */
export interface RatedOrder {
  readonly order: InvoicedOrder;
  /** At least one, in the order of the invoice. */
  readonly charges: readonly RatedCharge[];
}

/**
 * The orders of each invoice, in an order that does not depend on the input's: grouped by currency,
 * separately, or by job code. Charges with isSeparateInvoice are on one further invoice of their
 * order, after all the others. Orders without due charges are omitted.
 *
 * @example // two orders in USD with separateInvoice 0, one with 1
 *   group(orders) // [[first, second], [third]]
 */
export function group(orders: readonly RatedOrder[]): readonly (readonly RatedOrder[])[] {
  const groups = new Map<string, RatedOrder[]>();
  const separate: (readonly RatedOrder[])[] = [];
  for (const rated of orders.toSorted((a, b) => rankOf(a.order) - rankOf(b.order))) {
    const { order, charges } = rated;
    const own = charges.filter(isSeparate);
    if (own.length > 0) separate.push([{ order, charges: own }]);
    if (own.length === charges.length) continue;
    const shared = own.length === 0 ? rated : { order, charges: charges.filter(isShared) };
    const key = keyOf(order);
    const together = groups.get(key);
    if (together === undefined) groups.set(key, [shared]);
    else together.push(shared);
  }
  return [...groups.values(), ...separate];
}

function isSeparate(charge: RatedCharge): boolean {
  return planChargeOf(charge)?.isSeparateInvoice ?? false;
}

function isShared(charge: RatedCharge): boolean {
  return !isSeparate(charge);
}

function rankOf({ orderNumber }: InvoicedOrder): number {
  return orderNumber ?? Number.MAX_SAFE_INTEGER;
}

function keyOf({ currency, separateInvoice, jobCode, invoicedWith }: InvoicedOrder): string {
  if (separateInvoice === 1) return `${currency} order ${invoicedWith}`;
  return separateInvoice === 2 ? `${currency} job ${jobCode}` : currency;
}
