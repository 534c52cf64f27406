/** What a new order costs: as a quote, and what of it is due today if it alone is billed. */
import type { Taxing } from '../../domain/billing/tax.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { Decimal } from '../../domain/money/decimal.ts';
import { compare, sum } from '../../domain/money/money.ts';
import { orderToRate, type OrderProposal } from '../../domain/orders/propose.ts';
import { rateCustomer } from '../../domain/billing/rate-customer.ts';
import type { TenantInfo } from '../context/context.ts';
import type { LockedCustomer } from '../context/locks.ts';
import { priceProposal, type PricedQuote } from './quote.ts';
import { refuseUntaxed, UnansweredTaxes } from '../../domain/billing/provider-tax.ts';
import { actsBy } from '../../domain/billing/dates.ts';

export interface PricedOrder {
  readonly quote: PricedQuote;
  /** Of the invoices that it gets today; never negative. */
  readonly dueToday: Decimal;
}

interface PricingBasis {
  readonly tenant: TenantInfo;
  readonly customer: LockedCustomer;
  readonly today: IsoDate;
  readonly taxing: Taxing;
}

/** Throws UnansweredTaxes with the questions of both. */
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
  const quote = noting(() => priceProposal(order, { tenant, today, taxing }));
  const dueToday = noting(() => dueOf(order, { tenant, customer, today, taxing }));
  if (quote === undefined || dueToday === undefined) throw new UnansweredTaxes(questions);
  return { quote, dueToday };
}

/** As `onlyOrderId` bills it: the invoices of this order alone. */
function dueOf(order: OrderProposal, { tenant, customer, today, taxing }: PricingBasis): Decimal {
  const row = orderToRate(order);
  const { plan, coupon } = order;
  const rows = actsBy(row, { by: today, atOnce: true }) ? [row] : [];
  const { invoices } = rateCustomer({
    customer,
    rows,
    basis: {
      plans: new Map([[plan.id, plan]]),
      coupons: new Map(coupon === null ? [] : [[coupon.id, coupon]]),
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
