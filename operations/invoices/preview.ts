/** The documents of invoices that are not stored: one mapper for all drafts. */
import {
  balanceAfter,
  continueFrom,
  type BalanceBefore,
  balanceKey,
  noBalance,
  type Balances,
  assertFits,
} from '../../domain/billing/balance.ts';
import { referencesOf } from '../../domain/billing/references.ts';
import type { DraftCharge, DraftInvoice, DraftLine } from '../../domain/billing/total.ts';
import { invoiceMade } from '../../domain/invoices/transitions.ts';
import { formatAmount } from '../../domain/money/money.ts';
import type { Decimal } from '../../domain/money/decimal.ts';
import { shownPrice } from './read.ts';
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
    const { invoiceDate, dueDate, billingStartDate, billingEndDate, billingPeriod } = draft;
    const dates = { invoiceDate, dueDate, billingStartDate, billingEndDate, billingPeriod };
    const { state } = invoiceMade(currentAmountDue, { on: null, awaits: null });
    return {
      status: state.status,
      ...dates,
      customerId,
      currency,
      previousBalance: amount(continued.previousBalance),
      paymentsAndAdjustments: amount(continued.paymentsAndAdjustments),
      outstandingBalance: amount(state.open),
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
  // An order that is not stored yet has no number, and its ids are nobody's.
  const isStored = order !== null && orderNumber !== null;
  return {
    ...line,
    lineAmountTotal: formatAmount(currency, line.lineAmountTotal),
    orderNumber: orderNumber === null ? null : String(orderNumber),
    subscriptionOrderId: isStored ? order.id : null,
    contractCode: order?.contractCode ?? null,
    charges: charges
      .map((charge) => chargePreview(charge, currency))
      .map((charge) => (isStored ? charge : { ...charge, orderLineItemId: null })),
  };
}

function chargePreview({ charge, ...shown }: DraftCharge, currency: string): ChargePreview {
  const { chargeId, orderLineId, tierId } = referencesOf(charge);
  return {
    ...shown,
    contractChargeId: chargeId,
    orderLineItemId: orderLineId,
    pricingTierId: tierId,
    unitPrice: shownPrice(currency, shown),
    amount: formatAmount(currency, shown.amount),
    isUsageChargeSubTotal: charge.kind === 'usageSubTotal',
  };
}
