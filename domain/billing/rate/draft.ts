/** Drafts the invoices of one customer from its due charges, by the stages of rating. */
import type { CreditCharge, InvoiceCharge, RatedCharge } from '../charges.ts';
import { correctedAfter, type CorrectedLines } from '../credit/corrected.ts';
import { usesAfter, withDiscounts } from './discount.ts';
import { group, type InvoicedOrder, type RatedOrder } from './group.ts';
import { rateDue } from './rate.ts';
import { taxedOrders, type TaxedInvoice, type Taxing } from './tax.ts';
import { total, type DraftInvoice, type TotalInput } from './total.ts';
import { noUses, withTaken, type CouponUses } from '../../discounts/uses.ts';
import type { DueOrder } from '../due/due-charges.ts';
import { compare, type Decimal } from '../../money/money.ts';
import { withPercentages } from './percent.ts';

export interface OrderDue {
  readonly order: InvoicedOrder;
  readonly due: Pick<DueOrder, 'charges'> & Partial<Pick<DueOrder, 'windows'>>;
  /** What a change gives back of earlier invoices of the order. */
  readonly credits?: readonly CreditCharge[];
  /** The invoices of the usage that its windows correct. */
  readonly corrected?: CorrectedLines;
}

export interface InvoicingInput extends TotalInput {
  readonly orders: readonly OrderDue[];
  readonly taxing: Taxing;
}

/**
 * The invoices of one customer, in an order that does not depend on the input's: due charges are
 * priced and totalled. Orders without due charges are omitted, and so is an invoice that consists of
 * one-time charges of zero, although its charges count as billed.
 *
 * @example // two due orders in USD with separateInvoice 0, one with 1
 *   draftInvoices(input) // one invoice of two lines, one invoice of one line
 */
export function draftInvoices(input: InvoicingInput): readonly DraftInvoice[] {
  return priced(input.orders, input.taxing)
    .map((invoice) => total(invoice, input))
    .filter(isWorthSending);
}

/**
 * The orders of each invoice with what their due charges cost: rated, grouped, adjusted, discounted
 * and taxed.
 *
 * @example // 29.95 for a month, 8.875 percent of tax
 *   priced([{ order, due }], byRates([newYork])) // one invoice of 29.95 and 2.66
 */
export function priced(orders: readonly OrderDue[], taxing: Taxing): readonly TaxedInvoice[] {
  const rated = orders.map(({ order, due, credits = [], corrected }) => ({
    order,
    // What a change gives back stands no more when corrections are computed.
    charges: [
      ...rateDue(due, order.currency, corrected && correctedAfter(corrected, credits)),
      ...credits,
    ],
  }));
  return discounted(group(rated).map((invoice) => invoice.map(adjusted))).map((invoice) =>
    taxedOrders(invoice, taxing),
  );
}

function adjusted({ order, charges }: RatedOrder): RatedOrder {
  return { order, charges: adjust(charges, order.currency) };
}

/** Invoice by invoice: what one has used of the coupon of some orders, the next one no longer has. */
function discounted(
  invoices: readonly (readonly RatedOrder[])[],
): readonly (readonly RatedOrder[])[] {
  const isUsedBy = new Set<number>();
  const takenBy = new Map<number, CouponUses>();
  const leftBy = new Map<number, Decimal>();
  return invoices.map((invoice) => {
    const lapsing = new Set<number>();
    const lines = invoice.map(({ order, charges }) => {
      if (order.coupon === null) return { order, charges };
      const { sharedBy, periodsSharedBy, uses: own } = order.coupon;
      const isFor = compare(own.givenBack, '0') > 0;
      const givenBack = isFor ? (leftBy.get(sharedBy) ?? own.givenBack) : '0';
      const taken = takenBy.get(periodsSharedBy) ?? noUses;
      const isUsed = own.isUsed || isUsedBy.has(sharedBy);
      const uses = { ...withTaken(own, taken), isUsed, givenBack };
      const after = withDiscounts(charges, { ...order.coupon, uses }, order.currency);
      const discounts = after.charges.filter((charge) => charge.kind === 'discount');
      takenBy.set(periodsSharedBy, usesAfter(taken, discounts));
      if (after.uses.isUsed) isUsedBy.add(sharedBy);
      if (isFor) leftBy.set(sharedBy, after.uses.givenBack);
      if (isFor && after.uses !== uses) lapsing.add(sharedBy);
      return { order, charges: after.charges };
    });
    // Of a coupon for once one invoice takes what a change gives back, and the rest lapses.
    for (const sharedBy of lapsing) leftBy.set(sharedBy, '0');
    return lines;
  });
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
    case 'tax':
      return 'due' in charge && charge.due.line.charge.chargeType !== 'OneTimeCharge';
    case 'usage':
    case 'manual':
      return true;
    case 'usageSubTotal':
    case 'discount':
    case 'credit':
      return false;
  }
}

/* The rating stage for charges that depend on the other charges of their invoice line. */

/**
 * Computes percentages of the line's other charges, without taxes and other percentages.
 *
 * @example // a fee of 31.00, and 10 percent for support
 *   adjust(charges, 'USD') // the fee, and 3.10
 */
export function adjust(charges: readonly RatedCharge[], currency: string): readonly RatedCharge[] {
  return withPercentages(charges, 'percent', currency);
}
