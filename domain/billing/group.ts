/** The rating stage that groups the orders of a customer into invoices. */
import type { BillableOrder, Plan, Terms } from '../model.ts';
import type { RatedCharge } from './charges.ts';

/** An order with the fields that invoices show and group by. */
export interface InvoicedOrder extends BillableOrder {
  /** Null for an order that is not stored yet: it gets the highest. */
  readonly orderNumber: number | null;
  /** 0: with other orders, 1: a separate invoice, 2: with orders of the same jobCode. */
  readonly separateInvoice: 0 | 1 | 2;
  readonly jobCode: string | null;
  readonly dueTerms: Terms | null;
  readonly isAutoPay: boolean;
  readonly invoiceText: string | null;
  readonly plan: Plan;
}

/** The part of one order in one invoice: one line. */
export interface RatedOrder {
  readonly order: InvoicedOrder;
  /** At least one, in the order of the invoice. */
  readonly charges: readonly RatedCharge[];
}

/**
 * The orders of each invoice, in an order that does not depend on the input's: grouped by currency,
 * separately, or by job code. Orders without due charges are omitted.
 *
 * @example // two orders in USD with separateInvoice 0, one with 1
 *   group(orders) // [[first, second], [third]]
 */
export function group(orders: readonly RatedOrder[]): readonly (readonly RatedOrder[])[] {
  const groups = new Map<string, RatedOrder[]>();
  const owing = orders.filter(({ charges }) => charges.length > 0);
  for (const rated of owing.toSorted((a, b) => rankOf(a.order) - rankOf(b.order))) {
    const key = keyOf(rated.order);
    const together = groups.get(key);
    if (together === undefined) groups.set(key, [rated]);
    else together.push(rated);
  }
  return [...groups.values()];
}

function rankOf({ orderNumber }: InvoicedOrder): number {
  return orderNumber ?? Number.MAX_SAFE_INTEGER;
}

function keyOf({ currency, separateInvoice, jobCode, id }: InvoicedOrder): string {
  if (separateInvoice === 1) return `${currency} order ${id}`;
  return separateInvoice === 2 ? `${currency} job ${jobCode}` : currency;
}
