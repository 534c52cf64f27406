/** What a sign-up costs: as a quote of the whole plan, and what of it is due today. */
import type { Taxing } from '../../domain/billing/rate/tax.ts';
import { type Coupon, usedByCustomer } from '../../domain/discounts/coupon.ts';
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { type Decimal, formatAmount } from '../../domain/money/money.ts';
import type { PlanOffer } from '../../domain/orders/terms.ts';
import type { WrittenAddress } from '../../domain/tax/documents.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-waits.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { type Dependencies, type TenantInfo, tenantTimeOf } from '../context/context.ts';
import { type LockedCustomer, findCustomers } from '../context/locks.ts';
import {
  checkedCoupon,
  couponVersions,
  findCoupon,
  isCustomers,
  refuseUsed,
} from '../discounts/coupons.ts';
import { type Lasting, lastingOf } from '../../domain/self-service/lasting.ts';
import { findPlan } from '../orders/plan-choice.ts';
import { priceNewOrder } from '../../domain/orders/price-new.ts';
import {
  type BeforePricing,
  type PricedQuote,
  isUntaxedAt,
  nobody,
  proposed,
  quoteHash,
  taxBasis,
  taxedBy,
} from '../orders/quote.ts';
import { countedCharges, inParameters, pagePlan } from '../../domain/orders/quoted-plan.ts';
import { addressOf } from './details.ts';
import { openOf } from './steps.ts';
import { findMatch, matchFieldsOf, proofOf } from './match.ts';
import { refuseUnoffered } from '../orders/offered.ts';
import { isTrialUsed as isTrialUsedBy } from '../orders/trial.ts';
import { demandsCard } from '../../domain/orders/trial.ts';
import type { SignupRow } from './signup-row.ts';
import type { SubscriptionOrder } from '../../db/entities/orders.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export interface SignupPrice {
  readonly quote: PricedQuote;
  readonly planName: string;
  /** Null also where its customer has used the coupon that was named. */
  readonly couponCode: string | null;
  readonly startDate: IsoDate;
  /** Something of the plan follows a quantity. */
  readonly hasQuantity: boolean;
  /** What is paid today: the invoices that the order would get, or what is open of those it has. */
  readonly dueToday: Decimal;
  readonly currency: string;
  /** What decides about its taxes, hashed; the same while they are. */
  readonly taxBasis: string;
  /** The tenant taxes, and no rate matches. */
  readonly isUntaxed: boolean;
  readonly lasting: Lasting;
  /** Its trial demands a card. */
  readonly demandsCard: boolean;
}

/**
 * In the tenant's currency, taxed by the address that was entered, or as its customer is billed where
 * something proves who that is. Nothing is stored and nobody locked. Throws a DomainError whose path is a
 * field of the form: contractCode, quantity, couponCode, startDate, street.
 */
export async function priceSignup(
  dependencies: Dependencies,
  tenant: TenantInfo,
  row: SignupRow,
  beforePricing: BeforePricing = () => undefined,
): Promise<SignupPrice> {
  const basis = await inTenant(
    dependencies.db,
    tenant.id,
    (tx) => readBasis(dependencies, { tx, tenant }, row),
    { readOnly: true, snapshot: true },
  );
  const { customer, offer, coupon, today, open, address, isTrialUsed } = basis;
  const { plan } = offer;
  const input = {
    contractCode: plan.contractCode,
    startDate: basis.startDate,
    currency: tenant.currency,
  };
  beforePricing(plan.charges.length);
  const order = inParameters(() => {
    const orderLineItems = pagePlan(plan, row);
    return proposed({ ...input, orderLineItems }, { customer, offer, coupon, today, isTrialUsed });
  });
  const priceBy = (taxing: Taxing) => priceNewOrder(order, { tenant, customer, today, taxing });
  const priced = await inFields(() =>
    taxedBy(dependencies, tenant, { customerId: customer.id, address, today }, priceBy),
  );
  return {
    quote: { hash: quoteHash(order, tenant), ...priced.quote },
    planName: plan.name,
    couponCode: coupon?.code ?? null,
    startDate: order.startDate,
    hasQuantity: countedCharges(plan).length > 0,
    dueToday: formatAmount(tenant.currency, open ?? priced.dueToday),
    currency: tenant.currency,
    taxBasis: taxBasis(tenant, address),
    isUntaxed: isUntaxedAt(tenant, address),
    lasting: lastingOf(order, today),
    demandsCard: demandsCard(plan, order),
  };
}

interface PriceBasis {
  readonly customer: LockedCustomer;
  readonly address: WrittenAddress;
  readonly offer: PlanOffer;
  readonly coupon: Coupon | null;
  readonly today: IsoDate;
  readonly startDate: IsoDate;
  /** Whoever is known to order has had the trial of the plan. */
  readonly isTrialUsed: boolean;
  /** Of the invoices that it has; null before they are made. */
  readonly open: Decimal | null;
}

async function readBasis(
  dependencies: Dependencies,
  { tx, tenant }: { readonly tx: Tx; readonly tenant: TenantInfo },
  row: SignupRow,
): Promise<PriceBasis> {
  const { contractCode, couponCode, sku } = row;
  const value = contractCode ?? '';
  const where = { path: 'contractCode', value };
  if (contractCode === null) throw new DomainError('field.required', 'a plan is required', where);
  const made = await madeVersions(tx, row);
  const [{ today }, version, found] = await Promise.all([
    tenantTimeOf(dependencies, tenant, tx, 'none'),
    findPlan(dependencies.db, tx, {
      contractCode: made === null ? contractCode : null,
      id: made?.planId ?? null,
    }),
    couponOfNow(dependencies, tx, { couponCode, made }),
  ]);
  const isMade = row.orderId !== null;
  const startDate = row.startDate ?? (isMade ? row.lastTry?.startDate : null) ?? today;
  // What was made stays, whatever has become of the plan and the coupon.
  const { currency } = tenant;
  if (!isMade) {
    await refuseUnoffered(tx, { contractCode, sku, currency, startDate, today });
  }
  if (version === undefined) throw new DomainError('plan.unknown', 'the plan is gone', where);
  const payer = await payerOf(tx, tenant, row);
  const user = { tx, currency, today, customerId: payer.customer.id };
  return {
    ...payer,
    offer: {
      ...version,
      ...(isMade && { isNewest: true, startDate: null, endDate: null }),
      named: { path: 'contractCode', value, id: null },
    },
    coupon: isMade ? (found ?? null) : await couponOf(found, row, user),
    today,
    startDate,
    isTrialUsed:
      made === null
        ? await isTrialUsedBy(tx, {
            plan: version.plan,
            trialDays: null,
            customerId: proofOf(row) === null ? null : payer.customer.id,
            orderId: null,
          })
        : made.trialEndDate === null,
    open: isMade ? await openOf(tx, row.invoiceIds) : null,
  };
}

type MadeVersions = RowOf<typeof SubscriptionOrder, 'planId' | 'couponId' | 'trialEndDate'>;

/** Of the order that was made, whatever plan and coupon are now; null: the newest ones count. */
async function madeVersions(tx: Tx, { orderId }: SignupRow): Promise<MadeVersions | null> {
  if (orderId === null) return null;
  const [order] = await tx.query<MadeVersions & Record<string, unknown>>(
    `select plan_id, coupon_id, trial_end_date from subscription_order
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, orderId],
    'versions-of-signup',
  );
  return order ?? null;
}

interface CouponChoice {
  readonly couponCode: string | null;
  readonly made: MadeVersions | null;
}

async function couponOfNow(
  { db }: Dependencies,
  tx: Tx,
  { couponCode, made }: CouponChoice,
): Promise<Coupon | undefined> {
  if (made !== null) {
    const versions = await couponVersions(db, tx, [made.couponId]);
    return versions.get(made.couponId ?? 0);
  }
  return couponCode === null ? undefined : findCoupon(tx, couponCode);
}

interface CouponUser {
  readonly tx: Tx;
  readonly currency: string;
  readonly today: IsoDate;
  readonly customerId: number;
}

/** As `couponOfSignup` will have it when the order is made. */
async function couponOf(
  found: Coupon | undefined,
  row: SignupRow,
  { tx, currency, today, customerId }: CouponUser,
): Promise<Coupon | null> {
  const { contractCode, couponCode } = row;
  if (couponCode === null) return null;
  const use = { contractCode: contractCode ?? '', currency, today, path: 'couponCode' };
  const coupon = await couponOfSignup(tx, row, {
    coupon: checkedCoupon(found, couponCode, use),
    customerId,
  });
  const redeeming = { customerId: null, isForGood: false, path: 'couponCode' };
  if (coupon !== null) await refuseUsed(tx, coupon, redeeming);
  return coupon;
}

/**
 * The coupon without which whoever has used it goes on behind the mailed link, as nobody else may learn
 * that. Throws coupon.usedByCustomer where the tenant's site says who it is.
 */
export async function couponOfSignup(
  tx: Tx,
  row: SignupRow,
  { coupon, customerId }: { readonly coupon: Coupon; readonly customerId: number },
): Promise<Coupon | null> {
  const proof = proofOf(row);
  if (proof === null || !(await isCustomers(tx, coupon, customerId))) return coupon;
  if (proof === 'mail') return null;
  throw usedByCustomer(coupon.code, 'couponCode');
}

/** Where nothing proves it, the price does not tell whether the customer exists. */
async function payerOf(
  tx: Tx,
  tenant: TenantInfo,
  row: SignupRow,
): Promise<Pick<PriceBasis, 'customer' | 'address'>> {
  const entered = { customer: nobody(tenant), address: addressOf(row) };
  if (proofOf(row) === null) return entered;
  const id = row.customerId ?? (await findMatch(tx, matchFieldsOf(row)));
  if (id === null) return entered;
  const [[customer], address] = await Promise.all([findCustomers(tx, [id]), billedAddress(tx, id)]);
  return customer === undefined ? entered : { customer, address };
}

/** By which a customer that is there is taxed. */
export async function billedAddress(tx: Tx, customerId: number): Promise<WrittenAddress> {
  return (await readTaxAddresses(tx, [customerId])).get(customerId) ?? nowhere;
}

/** Of a customer without a billing contact. */
const nowhere: WrittenAddress = {
  street1: null,
  street2: null,
  city: null,
  state: null,
  zip: null,
  country: null,
  countryCode: null,
};

/** A provider refuses the address under another name than the form's. */
async function inFields<Result>(pricing: () => Promise<Result>): Promise<Result> {
  try {
    return await pricing();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'tax.refused') throw error;
    const { code, message, value, path } = error;
    throw new DomainError(code, message, { path: path === null ? null : 'street', value });
  }
}
