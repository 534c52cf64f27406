/** The stage that puts the orders of a customer together on invoices. */
import type { BillableOrder, Plan, Terms } from '../model.ts';
import type { RatedCharge } from './rate.ts';

/** An order as invoices show and group it. */
export interface InvoicedOrder extends BillableOrder {
  readonly orderNumber: number;
  /** 0: with others, 1: an invoice of its own, 2: with others of the same jobCode. */
  readonly separateInvoice: 0 | 1 | 2;
  readonly jobCode: string | null;
  readonly dueTerms: Terms | null;
  readonly isAutoPay: boolean;
  readonly invoiceText: string | null;
  readonly plan: Plan;
}

/** What one order brings to one invoice: one line of it. */
export interface RatedOrder {
  readonly order: InvoicedOrder;
  /** At least one, in the order of the invoice. */
  readonly charges: readonly RatedCharge[];
}

/**
 * The orders of each invoice, in a fixed order whatever the order of the input: by currency, by
 * themselves, or by job code. Orders that owe nothing are left out.
 *
 * @example // two orders in USD with separateInvoice 0, one with 1
 *   group(orders) // [[first, second], [third]]
 */
export function group(orders: readonly RatedOrder[]): readonly (readonly RatedOrder[])[] {
  const groups = new Map<string, RatedOrder[]>();
  const owing = orders.filter(({ charges }) => charges.length > 0);
  for (const rated of owing.toSorted((a, b) => a.order.orderNumber - b.order.orderNumber)) {
    const key = keyOf(rated.order);
    const together = groups.get(key);
    if (together === undefined) groups.set(key, [rated]);
    else together.push(rated);
  }
  return [...groups.values()];
}

function keyOf({ currency, separateInvoice, jobCode, id }: InvoicedOrder): string {
  if (separateInvoice === 1) return `${currency} order ${id}`;
  return separateInvoice === 2 ? `${currency} job ${jobCode}` : currency;
}
