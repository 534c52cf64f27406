/** Arranges what an order costs at first as a quote: once, and for the first period. */
import { firstDueOf } from '../billing/due/due.ts';
import { planChargeOf, type InvoiceCharge, type RateTaxCharge } from '../billing/charges.ts';
import { priced } from '../billing/rate/draft.ts';
import type { InvoicedOrder } from '../billing/rate/group.ts';
import { percentOf } from '../billing/rate/percent.ts';
import { shownCharge } from '../billing/shown.ts';
import type { Taxing } from '../billing/rate/tax.ts';
import type { IsoDate, BillingPeriod } from '../calendar/calendar.ts';
import type { ChargeType, PricingType } from '../plans/plan.ts';
import { add, formatAmount, negate, sum, type Decimal } from '../money/money.ts';

/** What a quote says of a charge of the plan, beside its amount. */
export interface QuotedTerms {
  readonly pricingType: PricingType;
  readonly chargeType: ChargeType;
  readonly quantity: Decimal | null;
  readonly billingPeriodStart: IsoDate | null;
  readonly billingPeriodEnd: IsoDate | null;
  readonly billingPeriodDescription: string;
  readonly isProrated: boolean;
}

export interface QuoteItem {
  readonly position: number;
  readonly priceCode: string | null;
  readonly invoiceText: string | null;
  readonly amount: Decimal;
  /** Null for discounts and taxes of the table. */
  readonly terms: QuotedTerms | null;
}

export interface QuoteBlock {
  readonly lineItems: readonly QuoteItem[];
  /** With discounts and taxes. */
  readonly total: Decimal;
}

export interface Quote {
  readonly contractCode: string;
  /** The startDate. */
  readonly orderDate: IsoDate;
  /** The last free day; null without a trial. What it costs is due from the day after it on. */
  readonly trialEndDate: IsoDate | null;
  readonly billingPeriod: BillingPeriod;
  readonly initial: QuoteBlock;
  readonly recurring: QuoteBlock;
  readonly total: Decimal;
}

/**
 * What an order costs once, and what for its first period, prepaid or not: by the stages that price
 * its invoices.
 *
 * @param taxing by the address for which it is quoted
 * @example // GOLD with a coupon of 10 percent and 8.875 percent of tax on its fee
 *   quoteOf(gold, byRates([newYork])).initial.total // '44.10'
 */
export function quoteOf(order: InvoicedOrder, taxing: Taxing): Quote {
  const due = { charges: firstDueOf(order) };
  const charges = priced([{ order, due }], taxing).flatMap(({ orders }) =>
    orders.flatMap((part) => part.charges),
  );
  const { currency, plan } = order;
  const blocks = charges.map((charge) => partsOf(charge, currency));
  const initial = blockOf(
    blocks.flatMap((parts) => parts.initial),
    currency,
  );
  const recurring = blockOf(
    blocks.flatMap((parts) => parts.recurring),
    currency,
  );
  return {
    contractCode: plan.contractCode,
    orderDate: order.startDate,
    trialEndDate: order.trialEndDate,
    billingPeriod: plan.billingPeriod,
    initial,
    recurring,
    total: formatAmount(currency, add(initial.total, recurring.total)),
  };
}

type Part = Omit<QuoteItem, 'position'>;

/** A charge belongs to one block; a tax to the block of each charge that it taxes. */
interface Parts {
  readonly initial: readonly Part[];
  readonly recurring: readonly Part[];
}

function partsOf(charge: InvoiceCharge, currency: string): Parts {
  if (charge.kind === 'tax' && 'rate' in charge) return taxParts(charge, currency);
  const part = { ...namedBy(charge), terms: termsOf(charge) };
  return isOnce(charge) ? { initial: [part], recurring: [] } : { initial: [], recurring: [part] };
}

/**
 * A rate is rounded once for an invoice: the recurring block shows the tax of its own charges, the
 * initial one the rest.
 */
function taxParts(charge: RateTaxCharge, currency: string): Parts {
  const own = charge.base.filter((each) => !isOnce(each));
  const part = { ...namedBy(charge), terms: null };
  if (own.length === 0) return { initial: [part], recurring: [] };
  if (own.length === charge.base.length) return { initial: [], recurring: [part] };
  const base = sum(own.map(({ amount }) => amount));
  const amount = percentOf(charge.rate.percent, base, currency);
  const rest = formatAmount(currency, add(charge.amount, negate(amount)));
  return { initial: [{ ...part, amount: rest }], recurring: [{ ...part, amount }] };
}

function isOnce(charge: InvoiceCharge): boolean {
  return planChargeOf(charge)?.chargeType === 'OneTimeCharge';
}

function namedBy(charge: InvoiceCharge): Omit<Part, 'terms'> {
  const { priceCode, invoiceText, amount } = shownCharge(charge);
  return { priceCode, invoiceText, amount };
}

function termsOf(charge: InvoiceCharge): QuotedTerms | null {
  const of = planChargeOf(charge);
  if (of === null || charge.kind === 'discount') return null;
  const { quantity, billingStartDate, billingEndDate } = shownCharge(charge);
  const days = `${billingStartDate} to ${billingEndDate}`;
  return {
    pricingType: of.pricingType,
    chargeType: of.chargeType,
    quantity,
    billingPeriodStart: billingStartDate,
    billingPeriodEnd: billingEndDate,
    billingPeriodDescription: of.chargeType === 'OneTimeCharge' ? 'Once' : days,
    isProrated: of.isProrated,
  };
}

function blockOf(parts: readonly Part[], currency: string): QuoteBlock {
  return {
    lineItems: parts.map((part, index) => ({ position: index + 1, ...part })),
    total: formatAmount(currency, sum(parts.map(({ amount }) => amount))),
  };
}
