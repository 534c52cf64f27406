/** The documents of invoices that are not stored: one mapper for all drafts. */
import { balanceAfter, continueFrom, type BalanceBefore } from '../../domain/billing/balance.ts';
import type { InvoiceCharge } from '../../domain/billing/charges.ts';
import type { DraftCharge, DraftInvoice, DraftLine } from '../../domain/billing/total.ts';
import { compare, formatAmount } from '../../domain/money/money.ts';
import type { Decimal, DueCharge } from '../../domain/model.ts';
import { balanceKey, noBalance, type Balances } from '../billing/balances.ts';
import { assertFits } from '../billing/invoice-rows.ts';
import { priceText } from '../context/listing.ts';
import type { InvoiceChargeView, InvoiceLineView, InvoiceView } from './read.ts';

type Stored = 'id' | 'version' | 'invoiceNumber';

/** An invoice as it is read, without what only a stored one has. */
export interface InvoicePreview extends Omit<InvoiceView, Stored | 'lines'> {
  readonly lines: readonly LinePreview[];
}

export interface LinePreview extends Omit<InvoiceLineView, 'id' | 'charges'> {
  readonly charges: readonly ChargePreview[];
}

export type ChargePreview = Omit<InvoiceChargeView, 'id'>;

export interface Previewed {
  readonly draft: DraftInvoice;
  readonly notes: string | null;
}

/**
 * Each continues from the one before it in its currency. No money is applied to them, so each leaves
 * open what it comes to. Throws billing.amountTooLarge.
 *
 * @param balances before the first of them
 */
export function previewsOf(
  drafts: readonly Previewed[],
  balances: Balances,
): readonly InvoicePreview[] {
  const before = new Map<string, BalanceBefore>(balances);
  return drafts.map(({ draft, notes }) => {
    const { customerId, currency, currentAmountDue } = draft;
    const key = balanceKey(customerId, currency);
    const continued = continueFrom(before.get(key) ?? noBalance, currentAmountDue);
    assertFits(draft, continued);
    before.set(key, balanceAfter(continued));
    const amount = (decimal: Decimal): Decimal => formatAmount(currency, decimal);
    const { status, invoiceDate, dueDate, billingStartDate, billingEndDate, billingPeriod } = draft;
    const dates = { invoiceDate, dueDate, billingStartDate, billingEndDate, billingPeriod };
    return {
      status,
      ...dates,
      customerId,
      currency,
      previousBalance: amount(continued.previousBalance),
      paymentsAndAdjustments: amount(continued.paymentsAndAdjustments),
      outstandingBalance: amount(compare(currentAmountDue, '0') > 0 ? currentAmountDue : '0'),
      currentAmountDue: amount(currentAmountDue),
      totalDue: amount(continued.totalDue),
      lines: draft.lines.map((line) => linePreview(line, currency)),
      applications: [],
      notes,
      lastUpdated: invoiceDate,
      dateCreated: invoiceDate,
    };
  });
}

function linePreview({ order, charges, ...line }: DraftLine, currency: string): LinePreview {
  const orderNumber = order?.orderNumber ?? null;
  return {
    ...line,
    lineAmountTotal: formatAmount(currency, line.lineAmountTotal),
    orderNumber: orderNumber === null ? null : String(orderNumber),
    subscriptionOrderId: order?.id ?? null,
    contractCode: order?.contractCode ?? null,
    charges: charges.map((charge) => chargePreview(charge, currency)),
  };
}

function chargePreview({ charge, ...shown }: DraftCharge, currency: string): ChargePreview {
  const { unitPrice, isPercent, amount } = shown;
  return {
    ...shown,
    ...referencesOf(charge),
    // The unit price of a percentage is the percentage.
    unitPrice: unitPrice === null || isPercent ? unitPrice : priceText(currency, unitPrice),
    amount: formatAmount(currency, amount),
    isUsageChargeSubTotal: charge.kind === 'usageSubTotal',
  };
}

type References = Pick<ChargePreview, 'contractChargeId' | 'orderLineItemId' | 'pricingTierId'>;

const noReferences: References = {
  contractChargeId: null,
  orderLineItemId: null,
  pricingTierId: null,
};

/** As the references of a stored charge (operations/billing/invoice-rows.ts). */
function referencesOf(charge: InvoiceCharge): References {
  switch (charge.kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'percent':
      return ofDue(charge);
    case 'tax':
      return 'due' in charge ? ofDue(charge) : noReferences;
    case 'usage':
      return { ...ofLine(charge.window), pricingTierId: charge.tierId };
    case 'usageSubTotal':
      return ofLine(charge.window);
    case 'discount':
      return { ...noReferences, orderLineItemId: charge.discounts.line.id };
    case 'credit':
      return { ...noReferences, orderLineItemId: charge.credits.orderLineId };
    case 'manual':
      return noReferences;
  }
}

function ofDue({ due, tierId }: Extract<InvoiceCharge, { readonly due: DueCharge }>): References {
  return { ...ofLine(due), pricingTierId: tierId };
}

function ofLine({ line }: Pick<DueCharge, 'line'>): References {
  return { ...noReferences, contractChargeId: line.charge.id, orderLineItemId: line.id };
}
