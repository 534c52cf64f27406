/** What a quote of the same plan may have that a change has not: it tells a caller what differs. */
import type { Coupon } from '../discounts/coupon.ts';
import { formatDecimal, parseDecimal, type Decimal } from '../money/money.ts';
import type { Charge, Plan } from '../plans/plan.ts';
import type { TaxRate } from '../tax/rates.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { OrderLine } from './lines.ts';
import { lengthOf } from '../plans/trial.ts';

export interface QuotedOtherwise {
  readonly terms: PricedTerms;
  /** Words about the change, to be joined by `and`: `it does not bill GOLD-SETUP`. */
  readonly differs: readonly string[];
}

/** What the caller may have quoted: a coupon, and the currency of the tenant. */
export interface Quotable {
  readonly coupons: readonly (Coupon | null)[];
  readonly currency: string;
}

/**
 * A change leaves out one-time charges that were billed before, goes on with the terms of its
 * order's coupon, and keeps the order's currency; a quote of the plan does not know the order.
 *
 * @example otherwiseQuoted(change, { coupons: [], currency: 'USD' })[0]?.differs
 *   // ['it does not bill GOLD-SETUP']
 */
export function otherwiseQuoted(
  change: PricedTerms,
  { coupons, currency }: Quotable,
): readonly QuotedOtherwise[] {
  const lines = [{ lines: change.lines, differs: [] as string[] }, ...withOneTimeCharges(change)];
  const discounts = [change.coupon, ...coupons].map((coupon) => ({
    coupon,
    differs: coupon === change.coupon ? [] : [couponText(change.coupon, coupon)],
  }));
  const currencies = [...new Set([change.currency, currency])].map((each) => ({
    currency: each,
    differs: each === change.currency ? [] : [`it is in ${change.currency}, not ${each}`],
  }));
  const ofPlan = change.plan.trial && lengthOf(change.plan.trial);
  const trials = [...new Set([change.trialLength, null, ofPlan])].map((trialLength) => ({
    trialLength,
    differs: trialLength === change.trialLength ? [] : [trialText(change.trialLength, trialLength)],
  }));
  const freeDays = trials.flatMap((trial) =>
    withElsewhere(change).map(({ billedThrough, differs }) => ({
      trialLength: trial.trialLength,
      billedThrough,
      differs: [...trial.differs, ...differs],
    })),
  );
  return lines.flatMap((one) =>
    discounts.flatMap((two) =>
      currencies.flatMap((three) =>
        freeDays.map((four) => ({
          terms: {
            plan: change.plan,
            lines: one.lines,
            coupon: two.coupon,
            currency: three.currency,
            trialLength: four.trialLength,
            billedThrough: four.billedThrough,
          },
          differs: [...one.differs, ...two.differs, ...three.differs, ...four.differs],
        })),
      ),
    ),
  );
}

/** A quote of the plan does not know the days that the order before takes along. */
function withElsewhere({ billedThrough = null }: PricedTerms) {
  const own = { billedThrough, differs: [] as string[] };
  if (billedThrough === null) return [own];
  const differs = [`its days to ${billedThrough} are billed elsewhere`];
  return [own, { billedThrough: null, differs }];
}

/** With all one-time charges of the plan, as the whole plan is quoted, and with the mandatory ones. */
function withOneTimeCharges({ plan, lines }: PricedTerms) {
  const own = new Set(lines.map(({ charge }) => charge.priceCode));
  const left = plan.charges.filter(
    ({ chargeType, priceCode, isPenalty }) =>
      chargeType === 'OneTimeCharge' && !isPenalty && !own.has(priceCode),
  );
  return [left, left.filter(({ isMandatory }) => isMandatory)]
    .filter((added) => added.length > 0)
    .map((added) => ({
      lines: [...lines, ...added.map(standardLine)],
      differs: [`it does not bill ${added.map(({ priceCode }) => priceCode).join(', ')}`],
    }));
}

function standardLine(charge: Charge): OrderLine {
  const quantity = charge.standardQuantity;
  return { position: 0, charge, quantity, unitPrice: null, invoiceText: null, isActive: true };
}

function trialText(own: string | null, quoted: string | null): string {
  const name = (trial: string | null) => (trial === null ? 'no trial' : `a trial of ${trial}`);
  return `it has ${name(own)}, the quote ${name(quoted)}`;
}

function couponText(own: Coupon | null, quoted: Coupon | null): string {
  if (own?.code === quoted?.code) return `it goes on with the order's terms of ${own?.code}`;
  const name = (coupon: Coupon | null) => (coupon === null ? 'no coupon' : `coupon ${coupon.code}`);
  return `it has ${name(own)}, the quote ${name(quoted)}`;
}

/* The text that tells whether the price of an order has moved: its hash is that of a quote. */

export interface PricedTerms {
  readonly plan: Plan;
  readonly currency: string;
  readonly coupon: Coupon | null;
  readonly lines: readonly OrderLine[];
  /** How long its trial is, in words; null without one. */
  readonly trialLength: string | null;
  /** The last day that is billed elsewhere. */
  readonly billedThrough?: IsoDate | null;
}

/**
 * The same for orders that cost the same on the same days: plan version, currency, lines, coupon,
 * the length of the trial if there is one, the last day that is billed elsewhere, and the rates of the
 * lines' tax codes in every country. Penalties, other dates and addresses are not in it, and the order
 * of lines and rates does not matter.
 *
 * @example priceText(gold, rates) // '["GOLD",1,"USD",[["GOLD-FEE","1",null],...],...]'
 */
export function priceText(
  { plan, currency, coupon, lines, trialLength, billedThrough = null }: PricedTerms,
  rates: readonly TaxRate[],
): string {
  const billed = lines.filter(({ charge, isActive }) => isActive && !charge.isPenalty);
  const codes = new Set(billed.flatMap(({ charge }) => charge.taxCodes));
  const prices = billed.map(({ charge, quantity, unitPrice }) => [
    charge.priceCode,
    shortest(quantity),
    unitPrice === null ? null : shortest(unitPrice),
  ]);
  const discount = coupon && [
    coupon.code,
    coupon.percent,
    coupon.amount,
    coupon.currency,
    coupon.isOnce,
    coupon.periods,
  ];
  const taxes = rates
    .filter(({ taxCode }) => codes.has(taxCode))
    .map((rate) => [rate.country, rate.state, rate.taxCode, rate.percent, rate.name]);
  return JSON.stringify([
    plan.contractCode,
    plan.version,
    currency,
    sorted(prices),
    discount,
    sorted(taxes),
    ...(trialLength === null ? [] : [trialLength]),
    ...(billedThrough === null ? [] : [billedThrough]),
  ]);
}

function shortest(decimal: Decimal): Decimal {
  return formatDecimal(parseDecimal(decimal));
}

function sorted(rows: readonly (readonly (string | null)[])[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
