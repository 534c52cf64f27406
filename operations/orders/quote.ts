/** Quotes: what an order costs, for a whole plan or as it is posted. They store and lock nothing. */
import { refuseTooManyLines } from '../../domain/billing/due/limits.ts';
import type { Coupon } from '../../domain/discounts/coupon.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import {
  type OrderProposal,
  type ProposalBasis,
  idsWanted,
  proposeOrder,
} from '../../domain/orders/propose.ts';
import { priceOrder } from '../../domain/orders/price-new.ts';
import type { Quote } from '../../domain/orders/quote.ts';
import type { PlanOffer } from '../../domain/orders/terms.ts';
import { UnansweredTaxes, byProvider } from '../../domain/billing/rate/provider-tax.ts';
import { type Taxing, byRates } from '../../domain/billing/rate/tax.ts';
import { type WrittenAddress, taxedAddress } from '../../domain/tax/documents.ts';
import { ratesFor } from '../../domain/tax/rates.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { answersTo, withTaxes } from '../billing/asking.ts';
import { type AnswerTo, taxingOf } from '../billing/tax-answers.ts';
import { type LockedCustomer, findCustomer } from '../context/locks.ts';
import { type Dependencies, type TenantInfo, tenantTimeOf } from '../context/context.ts';
import { checkedCoupon, couponHint, findCoupon, refuseUsed } from '../discounts/coupons.ts';
import { chosenCoupon, findPlan, namedPlan, planHint } from './plan-choice.ts';
import { isTrialUsed } from './trial.ts';
import { parentAddress, refuseParent } from '../../domain/orders/parent.ts';
import { inParameters, wholePlan } from '../../domain/orders/quoted-plan.ts';
import { createHash } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import { type PricedTerms, otherwiseQuoted, priceText } from '../../domain/orders/quoted.ts';

/** The id that no customer has. */
const NOBODY = 0;

export interface PricedQuote extends Quote {
  /** An order that is posted with it must still cost the same. */
  readonly hash: string;
}

export interface PlanQuoteRequest {
  readonly contractCode: string;
  /** It multiplies the standardQuantity of recurring charges. */
  readonly quantity: Decimal;
  /** The code of a coupon. */
  readonly promo: string | null;
  /** Today by default. */
  readonly startDate: IsoDate | null;
  /** Free days in place of those of the plan. */
  readonly trialDays?: number | null;
  /** Null: without tax. */
  readonly address: WrittenAddress | null;
}

/** Called with the number of lines before they are priced; it may throw. */
export type BeforePricing = (lines: number) => void;

export interface PlanQuote {
  readonly quote: PricedQuote | undefined;
  /** What the refusal of the plan ends with if there is none. */
  readonly hint: string;
}

/**
 * What an order of the whole plan costs in the tenant's currency; undefined if there is no such plan.
 * Errors name parameters of the call.
 */
export async function quotePlan(
  dependencies: Dependencies,
  tenant: TenantInfo,
  request: PlanQuoteRequest,
  beforePricing: BeforePricing,
): Promise<PlanQuote> {
  const { contractCode, promo, startDate, trialDays = null } = request;
  const { currency } = tenant;
  const { today, version, coupon, hint } = await inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const [{ today: day }, version, coupon = null] = await Promise.all([
        tenantTimeOf(dependencies, tenant, tx, 'none'),
        findPlan(dependencies.db, tx, { contractCode, id: null }),
        promo === null ? null : findCoupon(tx, promo),
      ]);
      if (version === undefined) {
        const hint = await planHint(tx, contractCode);
        return { version, hint, coupon: null, today: day };
      }
      const hint = promo !== null && coupon === null ? await couponHint(tx, promo) : '';
      const use = { contractCode, currency, today: day, path: 'promo', hint };
      const checked = promo === null ? null : checkedCoupon(coupon ?? undefined, promo, use);
      const nobodys = { customerId: null, isForGood: false, path: 'promo' };
      if (checked !== null) await refuseUsed(tx, checked, nobodys);
      return { version, hint, coupon: checked, today: day };
    },
    { readOnly: true },
  );
  if (version === undefined) return { quote: undefined, hint };
  const offer = { ...version, named: { path: 'contractCode', value: contractCode, id: null } };
  const basis = {
    offer,
    coupon,
    customer: nobody(tenant),
    today,
  };
  const { plan } = offer;
  beforePricing(plan.charges.length);
  const price = (taxing: Taxing): PricedQuote =>
    inParameters(() => {
      const orderLineItems = wholePlan(plan, request.quantity);
      const input = { contractCode, startDate, trialDays, orderLineItems };
      return priceProposal(proposed(input, basis), { tenant, today, taxing });
    });
  const { address } = request;
  const party = { customerId: NOBODY, address, today };
  return { quote: await taxedBy(dependencies, tenant, party, price), hint };
}

/** What decides about the taxes of something that nobody has ordered yet. */
export interface TaxedParty {
  readonly customerId: number;
  /** Null: without tax. */
  readonly address: WrittenAddress | null;
  readonly today: IsoDate;
}

/** Prices by the tenant's rates, or by answers of its tax provider, which are kept nowhere. */
export async function taxedBy<Priced>(
  dependencies: Dependencies,
  { id, taxProvider, taxRates }: TenantInfo,
  { customerId, address, today }: TaxedParty,
  price: (taxing: Taxing) => Priced,
): Promise<Priced> {
  if (taxProvider === null || address === null) return price(byRates(ratesFor(taxRates, address)));
  const { shipFrom } = taxProvider;
  const parties = { customerId, invoiceDate: today, shipFrom, shipTo: taxedAddress(address) };
  const priceWith = (answerTo: AnswerTo): Priced => price(byProvider(parties, answerTo));
  try {
    return priceWith(() => null);
  } catch (error) {
    if (!(error instanceof UnansweredTaxes)) throw error;
    return priceWith(await answersTo(dependencies, id, error.documents));
  }
}

interface RatedInput {
  readonly input: OrderInput;
  readonly extCustomerRef?: string | undefined;
}

/**
 * What a posted order costs, in its own currency; taxed by its customer's address, if it names one.
 * Throws as `createOrder` does.
 */
export function rateOrder(
  dependencies: Dependencies,
  tenant: TenantInfo,
  rated: RatedInput,
  beforePricing: BeforePricing,
): Promise<PricedQuote> {
  return withTaxes(dependencies, tenant.id, () =>
    rateOnce(dependencies, tenant, rated, beforePricing),
  );
}

async function rateOnce(
  dependencies: Dependencies,
  tenant: TenantInfo,
  { input, extCustomerRef }: RatedInput,
  beforePricing: BeforePricing,
): Promise<PricedQuote> {
  refuseTooManyLines(input.orderLineItems?.length ?? 0);
  const address = parentAddress(input, extCustomerRef);
  const { taxing, ...basis } = await inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      const [{ today }, customer, offer] = await Promise.all([
        tenantTimeOf(dependencies, tenant, tx, 'none'),
        address === null ? nobody(tenant) : findCustomer(tx, address),
        namedPlan(dependencies, tx, input),
      ]);
      if (address !== null) refuseParent(customer, input);
      const currency = input.currency ?? customer.currency;
      const { plan } = offer;
      const customerId = address === null ? null : customer.id;
      const { trialDays } = input;
      const [coupon, taxing, isTrialOver] = await Promise.all([
        chosenCoupon(tx, input, { plan, currency, today, customerId, isForGood: false }),
        taxingOf(tx, tenant, customerId === null ? [] : [customerId], today),
        isTrialUsed(tx, { plan, trialDays, customerId, orderId: null }),
      ]);
      // Without a customer there is no address to tax by.
      const own = address === null ? byRates([]) : taxing(customer.id, today);
      return { today, customer, offer, coupon, taxing: own, isTrialUsed: isTrialOver };
    },
    { readOnly: true },
  );
  const order = proposed(input, basis);
  beforePricing(order.lines.length);
  return priceProposal(order, { tenant, today: basis.today, taxing });
}

/** Stands for the customer that a quote does without. */
export function nobody({ currency }: TenantInfo): LockedCustomer {
  return {
    id: NOBODY,
    status: 'Active',
    currency,
    paymentTerms: null,
    purchaseOrder: null,
    isHeld: false,
    heldCode: null,
    isErased: false,
  };
}

export interface QuoteBasis {
  readonly offer: PlanOffer;
  readonly coupon: Coupon | null;
  readonly customer: ProposalBasis['customer'];
  readonly today: IsoDate;
  readonly isTrialUsed?: boolean;
}

/** The order that a POST would make; its ids are stored nowhere, and pauses cost nothing. */
export function proposed(input: OrderInput, basis: QuoteBasis): OrderProposal {
  const ids = Array.from({ length: idsWanted(input, basis.offer.plan) }, (_, index) => index + 1);
  return proposeOrder(input, { ...basis, ids, pauses: [], usageGraceDays: 0, bills: false });
}

interface PricingBasis {
  readonly tenant: TenantInfo;
  readonly today: IsoDate;
  readonly taxing: Taxing;
}

/** Throws UnansweredTaxes. */
function priceProposal(order: OrderProposal, { tenant, today, taxing }: PricingBasis): PricedQuote {
  return { hash: quoteHash(order, tenant), ...priceOrder(order, { today, taxing }) };
}

/* The hash of a quote: an order that is posted with it must still cost the same. */

/** In hexadecimal. */
export function quoteHash(order: PricedTerms, { taxRates }: TenantInfo): string {
  return createHash('sha256').update(priceText(order, taxRates)).digest('hex');
}

/** Throws quote.moved if the caller holds a quote of another price. */
export function refuseMoved(
  { quoteHash: held }: Held,
  order: PricedTerms,
  tenant: TenantInfo,
): void {
  if (!held || isOf(held, order, tenant)) return;
  throw moved(held, 'the order no longer costs what the quote said');
}

/**
 * The same of a change: its own preview quotes it. A quote that does not know the order that is
 * changed may have other terms than the change, which the error names.
 *
 * @param own the coupon of that order
 */
export async function refuseMovedChange(
  tx: Tx,
  { quoteHash: held, couponCode }: Held & Pick<OrderInput, 'couponCode'>,
  change: PricedTerms,
  { tenant, own }: { readonly tenant: TenantInfo; readonly own: Coupon | null },
): Promise<void> {
  if (!held || isOf(held, change, tenant)) return;
  const named = couponCode ? await findCoupon(tx, couponCode) : undefined;
  const coupons = [null, own, named ?? null].filter((coupon) => coupon?.id !== change.coupon?.id);
  const quotable = { coupons, currency: tenant.currency };
  const quoted = otherwiseQuoted(change, quotable).find(({ terms }) => isOf(held, terms, tenant));
  const why =
    quoted?.differs.join(', and ') ?? 'plan, quantities, prices, coupon or tax rates differ';
  throw moved(held, `the change does not cost what the quote said: ${why}`);
}

type Held = Pick<OrderInput, 'quoteHash'>;

const isOf = (held: string, order: PricedTerms, tenant: TenantInfo): boolean =>
  held.toLowerCase() === quoteHash(order, tenant);

const moved = (value: string, text: string): DomainError =>
  new DomainError('quote.moved', text, { path: 'subscriptionOrder/quoteHash', value });

/* What the terms of an order say of its taxes: the same text while the same taxes are due. */

/** The tenant has a table of rates, and none of them holds for the address. */
export const isUntaxedAt = (
  { taxRates }: Pick<TenantInfo, 'taxRates'>,
  address: WrittenAddress | null,
): boolean => taxRates.length > 0 && ratesFor(taxRates, address).length === 0;

/** The hash of what of an address decides about taxes: its rates, or all of it for a provider. */
export const taxBasis = (
  { taxProvider, taxRates }: Pick<TenantInfo, 'taxProvider' | 'taxRates'>,
  address: WrittenAddress | null,
): string => {
  const basis = taxProvider === null ? ratesFor(taxRates, address) : address;
  return createHash('sha256').update(JSON.stringify(basis)).digest('hex');
};
