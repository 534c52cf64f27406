/** New orders of a customer's own page: what one costs before it is made, and the making. */
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { type Decimal, compare, formatAmount, sum } from '../../domain/money/money.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import { refuseIfItCannotBill, refuseInactive } from '../../domain/orders/refusals.ts';
import type { PlanOffer } from '../../domain/orders/terms.ts';
import { readNextBill } from '../../db/queries/billing/due-customers.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { withTaxes } from '../billing/asking.ts';
import { billedApart, refuseHeld } from '../billing/customers.ts';
import { generateInvoices } from '../billing/generate.ts';
import { taxingOf } from '../billing/tax-answers.ts';
import {
  type Dependencies,
  type OperationContext,
  type TenantInfo,
  tenantTimeOf,
} from '../context/context.ts';
import { type LockedCustomer, findCustomer, lockCustomer } from '../context/locks.ts';
import { checkedCoupon, findCoupon, refuseUsed } from '../discounts/coupons.ts';
import { createOrder } from '../orders/create.ts';
import { pricedOffers, refuseUnoffered } from '../orders/offered.ts';
import { isTrialUsed as isTrialUsedBy } from '../orders/trial.ts';
import { trialsHad } from '../../db/queries/orders/trials.ts';
import { type Lasting, lastingOf } from '../../domain/self-service/lasting.ts';
import { findPlan } from '../orders/plan-choice.ts';
import { priceNewOrder } from '../../domain/orders/price-new.ts';
import { demandsCard } from '../../domain/orders/trial.ts';
import { type BeforePricing, type PricedQuote, proposed, quoteHash } from '../orders/quote.ts';
import { countedCharges, inParameters, pagePlan } from '../../domain/orders/quoted-plan.ts';
import { readMethods } from '../payment-methods/methods-on-file.ts';
import {
  type Due,
  PriceMoved,
  type OpenInvoices,
  type OrdersReader,
  type TaxTerms,
  openAmong,
  refuseOtherDue,
  refuseOtherTaxes,
  taxTermsOf,
} from './orders-own.ts';
import type { PricedPlan } from './orders-current.ts';

export interface NewChoice {
  readonly customerId: number;
  readonly contractCode: string;
  readonly quantity: Decimal;
  readonly couponCode: string | null;
  /** Without a method on file it is never. */
  readonly isAutoPay: boolean;
}

export interface NewPrice extends TaxTerms {
  readonly planName: string;
  readonly currency: string;
  readonly startDate: IsoDate;
  /** Something of the plan follows a quantity. */
  readonly hasQuantity: boolean;
  readonly quote: PricedQuote;
  /** It is paid by the method on file. */
  readonly isAutoPay: boolean;
  /** Of this order alone, which is billed by itself. */
  readonly due: readonly Due[];
  readonly lasting: Lasting;
  /** Its trial demands a method on file, which pays it then. */
  readonly demandsMethod: boolean;
}

/**
 * In the customer's currency, taxed by its address; stores nothing, and may ask the tax provider.
 * Throws what refuses the customer, and errors of the choice by its fields.
 */
export function priceOwnNew(
  dependencies: Dependencies,
  tenant: TenantInfo,
  choice: NewChoice,
  beforePricing: BeforePricing = () => undefined,
): Promise<NewPrice> {
  return withTaxes(dependencies, tenant.id, async () => {
    const basis = await inTenant(
      dependencies.db,
      tenant.id,
      async (tx) => {
        const { customerId } = choice;
        const [{ today }, customer, { isSuspect }, taxes] = await Promise.all([
          tenantTimeOf(dependencies, tenant, tx, 'none'),
          findCustomer(tx, { id: customerId }),
          readNextBill(tx, customerId),
          taxTermsOf(tx, tenant, customerId),
        ]);
        refuseCustomer(customer);
        if (isSuspect) throw billedApart(customerId);
        const { currency } = customer;
        const offer = await readOffer(dependencies, tx, choice, { currency, today });
        const taxing = await taxingOf(tx, tenant, [customerId], today);
        const hasOne = await hasMethod(tx, customerId);
        const own = { customer, hasOne, taxes, taxing: taxing(customerId, today) };
        return { today, ...own, ...offer };
      },
      { readOnly: true, snapshot: true },
    );
    const { offer, coupon, today, customer, taxing, hasOne, taxes, isTrialUsed } = basis;
    const { currency } = customer;
    beforePricing(offer.plan.charges.length);
    const order = inParameters(() => {
      const input = inputOf(choice, offer, { currency, today });
      return proposed(input, { offer, coupon, customer, today, isTrialUsed });
    });
    const priced = priceNewOrder(order, { tenant, customer, today, taxing });
    const quote = { hash: quoteHash(order, tenant), ...priced.quote };
    const due = [{ currency, amount: formatAmount(currency, priced.dueToday) }];
    const { startDate } = order;
    const planName = offer.plan.name;
    const hasQuantity = countedCharges(offer.plan).length > 0;
    const lasting = lastingOf(order, today);
    const demandsMethod = demandsCard(offer.plan, order);
    const isAutoPay = hasOne && (choice.isAutoPay || demandsMethod);
    const own = { planName, hasQuantity, startDate, demandsMethod };
    return { ...own, currency, quote, isAutoPay, due, ...taxes, lasting };
  });
}

function refuseCustomer(customer: LockedCustomer): void {
  refuseInactive(customer);
  refuseIfItCannotBill('Active', customer);
  refuseHeld(customer);
}

interface OnDay {
  readonly currency: string;
  readonly today: IsoDate;
}

async function readOffer(
  { db }: Dependencies,
  tx: Tx,
  { customerId, contractCode, couponCode }: NewChoice,
  { currency, today }: OnDay,
) {
  const where = { path: 'contractCode', value: contractCode };
  await refuseUnoffered(tx, { contractCode, sku: null, currency, startDate: today, today });
  const [version, found] = await Promise.all([
    findPlan(db, tx, { contractCode, id: null }),
    couponCode === null ? undefined : findCoupon(tx, couponCode),
  ]);
  if (version === undefined) throw new DomainError('plan.unknown', 'the plan is gone', where);
  const offer: PlanOffer = { ...version, named: { ...where, id: null } };
  const use = { contractCode, currency, today, path: 'couponCode' };
  const coupon = couponCode === null ? null : checkedCoupon(found, couponCode, use);
  // Making the order counts anew, alone.
  const redeeming = { customerId, isForGood: false, path: 'couponCode' };
  if (coupon !== null) await refuseUsed(tx, coupon, redeeming);
  const choice = { plan: version.plan, trialDays: null, customerId, orderId: null };
  return { offer, coupon, isTrialUsed: await isTrialUsedBy(tx, choice) };
}

function inputOf(
  { customerId, contractCode, quantity, couponCode }: NewChoice,
  { plan }: PlanOffer,
  { currency, today }: OnDay,
): OrderInput {
  return {
    customerId,
    contractCode,
    couponCode,
    currency,
    startDate: today,
    orderLineItems: pagePlan(plan, { quantity }),
    isWholePlan: true,
  };
}

/**
 * Makes the order and bills it alone, at the price that was shown, or nothing of it; returns what it
 * leaves open. Throws PriceMoved, quote.moved, and what `priceOwnNew` throws.
 */
export async function makeOwnNew(
  dependencies: Dependencies,
  context: OperationContext,
  choice: NewChoice,
  shown: NewPrice,
): Promise<OpenInvoices | null> {
  const { tx, tenant, time } = context;
  const { customerId } = choice;
  const customer = await lockCustomer(tx, { id: customerId });
  refuseCustomer(customer);
  await refuseOtherTaxes(tx, tenant, { ...shown, customerId });
  const { currency } = customer;
  const day = { currency, today: time.today };
  const { offer } = await readOffer(dependencies, tx, choice, day);
  const hasOne = await hasMethod(tx, customerId);
  // It was taken off the file meanwhile.
  if (shown.demandsMethod && !hasOne) throw new PriceMoved();
  const isAutoPay = hasOne && (choice.isAutoPay || shown.demandsMethod);
  const input = { ...inputOf(choice, offer, day), isAutoPay, quoteHash: shown.quote.hash };
  const noInvoice = { generateInvoice: false, forceInvoiceGeneration: false };
  const orderId = await createOrder(dependencies, context, input, noInvoice);
  const billing = { onlyOrderId: orderId, paysItself: true };
  const made = await generateInvoices(dependencies, context, customerId, billing);
  const total = sum(made.map((invoice) => invoice.currentAmountDue));
  refuseOtherDue([{ currency, amount: compare(total, '0') < 0 ? '0' : total }], shown.due);
  const ids = made.map(({ id }) => id);
  return openAmong(tx, ids, currency);
}

/** What a customer may order today, in its currency. */
export async function newChoices(
  dependencies: Dependencies,
  { tx, customerId, today }: OrdersReader,
  currency: string,
): Promise<PricedPlan[]> {
  const wanted = { sku: null, currency, startDate: today, today };
  const offered = await pricedOffers(dependencies, tx, wanted);
  const hasTrials = offered.some(({ trialEndDate }) => trialEndDate !== null);
  const had = hasTrials ? await trialsHad(tx, customerId) : new Set();
  return offered.flatMap(({ price, ...plan }) => {
    if (price === null) return [];
    const trialEndDate = had.has(plan.contractCode) ? null : plan.trialEndDate;
    return [{ ...plan, trialEndDate, price, isCurrent: false }];
  });
}

/** A box for autopay makes sense only then. */
export async function hasMethod(tx: Tx, customerId: number): Promise<boolean> {
  return (await readMethods(tx, customerId)).length > 0;
}
