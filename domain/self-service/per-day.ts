/** What orders cost per day by their recurring charges, which decides what is an upgrade. */
import { percentOf } from '../billing/rate/percent.ts';
import { kindOf } from '../billing/kinds.ts';
import { percentTier, priceQuantity } from '../billing/rate/pricing.ts';
import type { IsoDate, BillingPeriod } from '../calendar/calendar.ts';
import type { Charge } from '../plans/plan.ts';
import { parseDecimal, sum, type Decimal } from '../money/money.ts';

/** A line of an order that may bill something in each period. */
export interface RecurringLine {
  readonly charge: Charge;
  readonly quantity: Decimal;
  /** The agreed price, for UserEnteredPricing. */
  readonly unitPrice: Decimal | null;
  readonly isActive: boolean;
  /** Its last day; null: its order's. */
  readonly endsOn?: IsoDate | null;
}

/** Of which lines, on which day. */
export interface PriceView {
  readonly currency: string;
  readonly today: IsoDate;
}

/**
 * What the recurring charges of a whole period cost before discounts and taxes, percentages of each
 * other included. A line that begins later counts, as a change lets a charge that is not prorated begin
 * when what is paid of it has ended. Usage, one-time charges and penalties cost nothing here: nobody
 * knows them ahead. Throws quantity.outOfRange.
 *
 * @example recurringPrice([setup, fee], { currency: 'USD', today: '2027-02-01' }) // '29.95'
 */
export function recurringPrice(lines: readonly RecurringLine[], view: PriceView): Decimal {
  return sum(pricedParts(lines, view).map(({ amount }) => amount));
}

/** What one line costs in a whole period. */
export interface PricedPart {
  readonly kind: 'period' | 'percent';
  readonly amount: Decimal;
}

/** @example pricedParts([setup, fee], { currency: 'USD', today }) // [{ kind: 'period', amount: '29.95' }] */
export function pricedParts(
  lines: readonly RecurringLine[],
  { currency, today }: PriceView,
): PricedPart[] {
  const recurring = lines.filter(
    ({ charge, isActive, endsOn }) =>
      charge.chargeType === 'RecurringCharge' && isActive && (endsOn ?? today) >= today,
  );
  const priced = recurring
    .filter(({ charge }) => kindOf(charge) === 'period')
    .map((line) => ({ ...line, amount: wholePeriod(line, currency) }));
  const percents = recurring
    .filter(({ charge }) => kindOf(charge) === 'percent')
    .map(({ charge, quantity }) => {
      // Percentages are of the charges that share their invoice.
      const base = priced.filter(
        (each) => each.charge.isSeparateInvoice === charge.isSeparateInvoice,
      );
      const { percent } = percentTier(charge, quantity, currency);
      return percentOf(percent, sum(base.map(({ amount }) => amount)), currency);
    });
  return [
    ...priced.map(({ amount }) => ({ kind: 'period', amount }) as const),
    ...percents.map((amount) => ({ kind: 'percent', amount }) as const),
  ];
}

/** @example wholePeriod(fee, 'USD') // '29.95' */
export function wholePeriod(
  { charge, quantity, unitPrice }: RecurringLine,
  currency: string,
): Decimal {
  const whole = { numerator: 1, denominator: 1 };
  const parts = priceQuantity({ charge, quantity, unitPrice, currency, ...whole });
  return sum(parts.map(({ amount }) => amount));
}

export interface PeriodPrice {
  /** Of a whole period. */
  readonly amount: Decimal;
  readonly billingPeriod: BillingPeriod;
}

/** The days of a period, as numerator and denominator: a month has 365/12 of them. */
const daysOf: Readonly<Record<BillingPeriod, readonly [bigint, bigint]>> = {
  Daily: [1n, 1n],
  Weekly: [7n, 1n],
  Monthly: [365n, 12n],
  Quarterly: [365n, 4n],
  SemiAnnual: [365n, 2n],
  Yearly: [365n, 1n],
};

/**
 * Negative, zero or positive as the left price is lower per day, the same or higher; exactly, as
 * fractions that nothing rounds.
 *
 * @example // 0.985 and 0.953 a day
 *   comparePerDay({ amount: '29.95', billingPeriod: 'Monthly' },
 *     { amount: '348.00', billingPeriod: 'Yearly' }) // 1
 */
export function comparePerDay(left: PeriodPrice, right: PeriodPrice): -1 | 0 | 1 {
  const [leftDays, leftParts] = daysOf[left.billingPeriod];
  const [rightDays, rightParts] = daysOf[right.billingPeriod];
  const difference =
    parseDecimal(left.amount) * leftParts * rightDays -
    parseDecimal(right.amount) * rightParts * leftDays;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}
