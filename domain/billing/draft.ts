/** Which invoices the due charges of one customer make: the row of stages that rating is. */
import { adjust } from './adjust.ts';
import { group, type InvoicedOrder } from './group.ts';
import { rate } from './rate.ts';
import { tax } from './tax.ts';
import { total, type DraftInvoice, type TotalInput } from './total.ts';
import type { DueCharge, DueOrder } from '../model.ts';
import { compare } from '../money/money.ts';

export interface OrderDue {
  readonly order: InvoicedOrder;
  readonly due: DueOrder;
}

export interface InvoicingInput extends TotalInput {
  readonly orders: readonly OrderDue[];
}

/**
 * The invoices of one customer, in a fixed order whatever the order of the input: what is due is
 * rated, grouped, adjusted, taxed and added up. Orders that owe nothing are left out, and so is an
 * invoice of nothing but one-time charges of zero: its charges count as billed all the same.
 *
 * @example // two due orders in USD with separateInvoice 0, one with 1
 *   draftInvoices(input) // one invoice of two lines, one invoice of one line
 */
export function draftInvoices(input: InvoicingInput): readonly DraftInvoice[] {
  const rated = input.orders.map(({ order, due }) => ({
    order,
    charges: rate(due.charges.toSorted(inInvoiceOrder), order.currency),
  }));
  return group(rated)
    .map((orders) =>
      orders.map(({ order, charges }) => ({
        order,
        charges: tax(adjust(charges, order.currency), order.currency),
      })),
    )
    .map((orders) => total(orders, input))
    .filter(isWorthSending);
}

/** By the order's lines; those of one line come in the order of time, and stay so. */
function inInvoiceOrder(left: DueCharge, right: DueCharge): number {
  return left.line.position - right.line.position || left.line.id - right.line.id;
}

function isWorthSending({ lines }: DraftInvoice): boolean {
  return lines.some(({ charges }) =>
    charges.some(
      ({ amount, due }) =>
        due.line.charge.chargeType !== 'OneTimeCharge' || compare(amount, '0') !== 0,
    ),
  );
}
