/** Drafts the invoices of one customer from its due charges, by the stages of rating. */
import { adjust } from './adjust.ts';
import type { InvoiceCharge } from './charges.ts';
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
 * The invoices of one customer, in an order that does not depend on the input's: due charges are
 * rated, grouped, adjusted, taxed and totalled. Orders without due charges are omitted, and so is
 * an invoice that consists of one-time charges of zero, although its charges count as billed.
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

/** Sorts by the order's lines; the charges of one line keep their order of time. */
function inInvoiceOrder(left: DueCharge, right: DueCharge): number {
  return left.line.position - right.line.position || left.line.id - right.line.id;
}

function isWorthSending({ lines }: DraftInvoice): boolean {
  return lines.some(({ charges }) =>
    charges.some(({ charge }) => compare(charge.amount, '0') !== 0 || isWorthZero(charge)),
  );
}

/** Whether an invoice shows that this costs nothing. */
function isWorthZero(charge: InvoiceCharge): boolean {
  switch (charge.kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'percent':
      return charge.due.line.charge.chargeType !== 'OneTimeCharge';
    case 'usage':
    case 'manual':
      return true;
    case 'tax':
      return 'due' in charge && charge.due.line.charge.chargeType !== 'OneTimeCharge';
    case 'usageSubTotal':
    case 'discount':
    case 'credit':
      return false;
  }
}
