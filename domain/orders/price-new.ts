/** What a new order costs: as a quote, and what of it is due today if it alone is billed. */
import { billableOn } from '../billing/order-to-rate.ts';
import type { BilledCustomer, RatingBasis } from '../billing/due/open-orders.ts';
import type { Terms } from '../calendar/terms.ts';
import type { TaxDocument } from '../tax/documents.ts';
import { quoteOf, type Quote } from './quote.ts';
import type { Taxing } from '../billing/rate/tax.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import { compare, sum, type Decimal } from '../money/money.ts';
import { orderToRate, type OrderProposal } from './propose.ts';
import { invoicedOrder, rateCustomer } from '../billing/rate-customer.ts';
import { refuseUntaxed, UnansweredTaxes } from '../billing/rate/provider-tax.ts';
import { actsBy } from '../billing/due/dates.ts';

export interface PricedOrder {
  readonly quote: Quote;
  /** Of the invoices that it gets today; never negative. */
  readonly dueToday: Decimal;
}

interface QuoteBasis {
  readonly today: IsoDate;
  readonly taxing: Taxing;
}

interface PricingBasis extends QuoteBasis {
  readonly tenant: {
    readonly paymentTerms: Terms;
    readonly settings: { readonly usageGraceDays: number };
  };
  readonly customer: BilledCustomer;
}

/**
 * What an order costs at first. Throws UnansweredTaxes.
 *
 * @example priceOrder(gold, { today: '2027-01-15', taxing: byRates([]) }).total // '78.95'
 */
export function priceOrder(order: OrderProposal, { today, taxing }: QuoteBasis): Quote {
  const row = orderToRate(order);
  const versions = versionsOf(order);
  const view = { customerStatus: 'Active', today, usageGraceDays: 0 } as const;
  const invoiced = invoicedOrder(row, billableOn(row, versions.plans, view), versions);
  const questions: TaxDocument[] = [];
  const quote = quoteOf(invoiced, (...invoice) => {
    const taxed = taxing(...invoice);
    if (taxed.asked?.isAnswered === false) questions.push(taxed.asked.document);
    return taxed;
  });
  if (questions.length > 0) throw new UnansweredTaxes(questions);
  return quote;
}

/**
 * Throws UnansweredTaxes with the questions of both.
 *
 * @example priceNewOrder(gold, { tenant, customer, today: '2027-01-15', taxing }).dueToday // '78.95'
 */
export function priceNewOrder(
  order: OrderProposal,
  { tenant, customer, today, taxing }: PricingBasis,
): PricedOrder {
  const questions: UnansweredTaxes['documents'][number][] = [];
  const noting = <Result>(price: () => Result): Result | undefined => {
    try {
      return price();
    } catch (error) {
      if (!(error instanceof UnansweredTaxes)) throw error;
      questions.push(...error.documents);
      return undefined;
    }
  };
  const quote = noting(() => priceOrder(order, { today, taxing }));
  const dueToday = noting(() => dueOf(order, { tenant, customer, today, taxing }));
  if (quote === undefined || dueToday === undefined) throw new UnansweredTaxes(questions);
  return { quote, dueToday };
}

/** As `onlyOrderId` bills it: the invoices of this order alone. */
function dueOf(order: OrderProposal, { tenant, customer, today, taxing }: PricingBasis): Decimal {
  const row = orderToRate(order);
  const rows = actsBy(row, { by: today, atOnce: true }) ? [row] : [];
  const { invoices } = rateCustomer({
    customer,
    rows,
    basis: {
      ...versionsOf(order),
      taxingOf: () => taxing,
      successors: new Map(),
      unused: new Map(),
    },
    tenantTerms: tenant.paymentTerms,
    usageGraceDays: tenant.settings.usageGraceDays,
    today,
    atOnce: true,
  });
  refuseUntaxed(invoices);
  const total = sum(invoices.map(({ currentAmountDue }) => currentAmountDue));
  return compare(total, '0') < 0 ? '0' : total;
}

function versionsOf({ plan, coupon }: OrderProposal): Pick<RatingBasis, 'plans' | 'coupons'> {
  return {
    plans: new Map([[plan.id, plan]]),
    coupons: new Map(coupon === null ? [] : [[coupon.id, coupon]]),
  };
}
