/** The documents of invoices that are not stored: one mapper for all drafts. */
import {
  balanceAfter,
  continueFrom,
  type BalanceBefore,
  balanceKey,
  noBalance,
  type Balances,
  assertFits,
} from '../billing/rate/balance.ts';
import { referencesOf } from '../billing/references.ts';
import type { DraftCharge, DraftInvoice, DraftLine } from '../billing/rate/total.ts';
import type { BillTo } from './page-parties.ts';
import { invoiceMade } from './transitions.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { InvoiceStatus } from './happened.ts';
import { formatAmount, priceText, type Decimal } from '../money/money.ts';

export interface ChargePreview {
  readonly accountingCode: string | null;
  readonly position: number;
  readonly priceCode: string | null;
  readonly contractChargeId: number | null;
  readonly isPercent: boolean;
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
  readonly chargeDate: IsoDate;
  readonly unitPrice: Decimal | null;
  readonly amount: Decimal;
  readonly quantity: Decimal | null;
  readonly unitOfMeasure: string | null;
  readonly orderLineItemId: number | null;
  readonly invoiceText: string | null;
  readonly pricingTierId: number | null;
  readonly isUsageChargeSubTotal: boolean;
}

export interface LinePreview {
  readonly position: number;
  readonly invoiceText: string | null;
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
  readonly charges: readonly ChargePreview[];
  readonly lineAmountTotal: Decimal;
  readonly orderNumber: string | null;
  readonly subscriptionOrderId: number | null;
  readonly contractCode: string | null;
  readonly purchaseOrder: string | null;
}

/** An invoice as it is shown, without what only a stored one has. */
export interface InvoicePreview {
  readonly status: InvoiceStatus;
  readonly invoiceDate: IsoDate;
  readonly dueDate: IsoDate;
  readonly billingStartDate: IsoDate | null;
  readonly billingEndDate: IsoDate | null;
  readonly billingPeriod: string | null;
  readonly customerId: number;
  /** Null in documents that were kept before. */
  readonly billTo: BillTo | null;
  readonly currency: string;
  readonly previousBalance: Decimal;
  readonly paymentsAndAdjustments: Decimal;
  readonly outstandingBalance: Decimal;
  readonly currentAmountDue: Decimal;
  readonly totalDue: Decimal;
  readonly notes: string | null;
  /** That of its lines, if they agree. */
  readonly purchaseOrder: string | null;
  readonly lines: readonly LinePreview[];
  readonly lastUpdated: IsoDate;
  readonly dateCreated: IsoDate;
}

export interface Previewed {
  readonly draft: DraftInvoice;
  readonly notes: string | null;
}

/**
 * Each continues from the one before it in its currency. No money is applied to them, so each leaves
 * open what it comes to. Throws billing.amountTooLarge.
 *
 * @param balances before the first of them
 * @param billTo their customer as it is today
 * @example previewsOf(forecast(input), balances, billTo)[1].previousBalance // the totalDue of the first
 */
export function previewsOf(
  drafts: readonly Previewed[],
  balances: Balances,
  billTo: BillTo,
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
      billTo,
      currency,
      previousBalance: amount(continued.previousBalance),
      paymentsAndAdjustments: amount(continued.paymentsAndAdjustments),
      outstandingBalance: amount(state.open),
      currentAmountDue: amount(currentAmountDue),
      totalDue: amount(continued.totalDue),
      lines: draft.lines.map((line) => linePreview(line, currency)),
      notes,
      purchaseOrder: agreedOrder(draft.lines),
      lastUpdated: invoiceDate,
      dateCreated: invoiceDate,
    };
  });
}

/**
 * The purchase order of an invoice: that of its lines, if they agree.
 *
 * @param lines those of documents that were kept before have none
 * @example agreedOrder([{ purchaseOrder: 'PO-1' }, { purchaseOrder: null }]) // null
 */
export function agreedOrder(
  lines: readonly { readonly purchaseOrder?: string | null }[],
): string | null {
  const orders = new Set(lines.map(({ purchaseOrder = null }) => purchaseOrder));
  const [order = null] = orders;
  return orders.size === 1 ? order : null;
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

/** The unit price of a percentage is the percentage. @example shownPrice('USD', fee) // '29.95' */
export function shownPrice(
  currency: string,
  charge: Pick<ChargePreview, 'unitPrice' | 'isPercent'>,
): Decimal | null {
  const { unitPrice, isPercent } = charge;
  return unitPrice === null || isPercent ? unitPrice : priceText(currency, unitPrice);
}
