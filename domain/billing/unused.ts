/** Computes the credit on an invoice for days that an order no longer uses. */
import { daysFromTo, maxDate, periodAt } from '../calendar/calendar.ts';
import type { Decimal, IsoDate, Schedule, ServicePause } from '../model.ts';
import { add, compare, formatAmount, negate, roundedAmount, sum } from '../money/money.ts';
import { servedAmong, unservedDays } from './served-days.ts';
import type { Days } from './served-days.ts';
import type { StandingDays } from './parts.ts';
import { isDiscounted, type ChargeKind } from './kinds.ts';
import { isInBase, percentOf } from './percent.ts';
import { inProportion, reduce, sumStanding, within } from './standing.ts';
import type { Standing as StandingOf } from './standing.ts';

/** A stored charge of an invoice. */
export interface InvoicedCharge {
  readonly id: number;
  readonly position: number;
  readonly kind: ChargeKind;
  readonly isPercent: boolean;
  readonly isRecurring: boolean;
  /** It is priced by days, so unused ones are credited. */
  readonly isProrated: boolean;
  /** Of a discount. */
  readonly couponId: number | null;
  readonly priceCode: string | null;
  readonly accountingCode: string | null;
  readonly invoiceText: string | null;
  /** @see taxCodeOf */
  readonly taxCode: string | null;
  readonly orderLineId: number | null;
  /** Of a percentage: the positions of its base. Null also for one of before they were stored. */
  readonly basePositions: readonly number[] | null;
  readonly unitPrice: Decimal | null;
  readonly quantity: Decimal | null;
  readonly amount: Decimal;
  /** The billed period that it bills or discounts; null if it is of no days. */
  readonly billed: (Days & { readonly periodId: number; readonly periodIndex: number }) | null;
  /** Of a part of a period: what was billed for its earlier days at this price. Null without any. */
  readonly before: StandingDays | null;
}

/** All charges of an order on one invoice, without subtotals. */
export interface InvoicedLine {
  readonly invoicedOn: IsoDate;
  /** Its taxes, without those of the plan, are a provider's, whose rates need not say their amounts. */
  readonly isProvided: boolean;
  readonly charges: readonly InvoicedCharge[];
}

export interface UnusedView {
  /** The first unused day. */
  readonly unusedFrom: IsoDate;
  /** No day of the order is used: recurring charges go back whole, prorated or not. */
  readonly isWhole?: boolean;
  readonly schedule: Schedule;
  readonly pauses: readonly ServicePause[];
  readonly currency: string;
}

/** The amount of a charge to credit. */
export interface ChargeCredit {
  readonly chargeId: number;
  /** The last unused day; null for a charge that bills no days, or none of these. */
  readonly unusedTo: IsoDate | null;
  /** With the sign of the charge: what goes back of a discount is negative. */
  readonly amount: Decimal;
}

type Standing = StandingOf<InvoicedCharge>;

/**
 * The credits for one invoice of an order: what was billed, less what the used days alone would
 * have cost. Suspended days count as used. A prorated percentage of unused days, a discount in
 * percent, and every tax in percent is reduced to the percentage of what stands of its base; a tax
 * of a provider in proportion to its base. A discount of a fixed amount goes by days.
 *
 * @example // 29.95 for 31 days; the 17 used days cost 16.42
 *   unusedCredits(line, view) // [{ chargeId: 4711, unusedTo: '2027-02-14', amount: '13.53' }]
 */
export function unusedCredits(line: InvoicedLine, view: UnusedView): readonly ChargeCredit[] {
  const standing: Standing = new Map();
  for (const charge of line.charges) {
    if (charge.isPercent || !hasUnusedDays(charge, view)) continue;
    const used = costOfUsedDays(charge, line.invoicedOn, view);
    if (used !== null) reduce(standing, charge, used);
  }
  reducePercentages(line, 'percent', standing, view);
  reduceDiscounts(line, standing, view);
  reducePercentages(line, 'tax', standing, view);
  return line.charges.flatMap((charge): readonly ChargeCredit[] => {
    const { id: chargeId, amount, billed } = charge;
    const credit = add(amount, negate(standing.get(charge) ?? amount));
    if (compare(credit, '0') === 0) return [];
    const unusedTo = billed !== null && billed.to >= view.unusedFrom ? billed.to : null;
    return [{ chargeId, unusedTo, amount: formatAmount(view.currency, credit) }];
  });
}

function hasUnusedDays(
  { isRecurring, isProrated, billed }: InvoicedCharge,
  { unusedFrom, isWhole = false }: UnusedView,
): boolean {
  return isRecurring && (isProrated || isWhole) && billed !== null && billed.to >= unusedFrom;
}

function costOfUsedDays(
  { billed, unitPrice: price, quantity, before }: InvoicedCharge,
  invoicedOn: IsoDate,
  view: UnusedView,
): Decimal | null {
  if (billed === null || price === null || quantity === null) return null;
  const { currency } = view;
  const { used } = countDays(billed, invoicedOn, view);
  const { start, end } = periodAt(view.schedule, billed.periodIndex);
  if (used === 0) return '0';
  // The earlier parts of the period stand, and with what is used of this one they cost their days.
  const share = { numerator: used + (before?.days ?? 0), denominator: daysFromTo(start, end) };
  const cost = roundedAmount({ price, quantity, currency, ...share });
  return add(cost, negate(before?.amount ?? '0'));
}

/** How many of some days were billed, and how many of these are used. */
function countDays(
  billed: Days,
  invoicedOn: IsoDate,
  { unusedFrom, pauses }: UnusedView,
): { readonly paid: number; readonly used: number } {
  // Days of an earlier pause were not billed; days of a later pause are not credited.
  const known = pauses.filter(({ resumedOn }) => resumedOn !== null && resumedOn <= invoicedOn);
  const paid = servedAmong(billed, unservedDays(known))?.count ?? 0;
  const unused = daysFromTo(maxDate(billed.from, unusedFrom), billed.to);
  return { paid, used: Math.max(0, paid - unused) };
}

function reducePercentages(
  line: InvoicedLine,
  kind: 'percent' | 'tax',
  standing: Standing,
  view: UnusedView,
): void {
  const byPosition = new Map(line.charges.map((charge) => [charge.position, charge]));
  const percentages = line.charges.filter((charge) => charge.isPercent && charge.kind === kind);
  for (const periods of Map.groupBy(percentages, (each) => each.orderLineId).values()) {
    if (periods.some(({ basePositions }) => basePositions === null)) {
      reduceTogether(periods, line, standing, view);
      continue;
    }
    for (const charge of periods) {
      const { unitPrice: percent, basePositions } = charge;
      if (percent === null || (kind === 'percent' && !hasUnusedDays(charge, view))) continue;
      if (kind === 'percent' && view.isWhole === true) {
        reduce(standing, charge, '0');
        continue;
      }
      const base = (basePositions ?? []).flatMap((position) => byPosition.get(position) ?? []);
      if (!base.some((each) => standing.has(each))) continue;
      // Taxes of the plan have order lines.
      const isProvided = line.isProvided && kind === 'tax' && charge.orderLineId === null;
      const stands = isProvided
        ? inProportion(charge.amount, base, standing, view.currency)
        : percentOf(percent, sumStanding(base, standing), view.currency);
      reduce(standing, charge, stands);
    }
  }
}

function reduceDiscounts(line: InvoicedLine, standing: Standing, view: UnusedView): void {
  const { currency } = view;
  const above = line.charges.filter(
    ({ kind, amount }) => isDiscounted(kind) && compare(amount, '0') > 0,
  );
  const byPeriod = Map.groupBy(above, ({ billed }) => billed?.periodId);
  for (const discount of line.charges) {
    const { kind, billed, amount, isPercent, unitPrice } = discount;
    if (kind !== 'discount' || billed === null) continue;
    const base = byPeriod.get(billed.periodId) ?? [];
    if (!base.some((each) => standing.has(each))) continue;
    const stands = negate(sumStanding(base, standing));
    if (isPercent) {
      reduce(standing, discount, percentOf(unitPrice ?? '0', stands, currency));
    } else {
      const { used, paid } = countDays(billed, line.invoicedOn, view);
      const share = { numerator: used, denominator: Math.max(1, paid) };
      const part = roundedAmount({ price: amount, quantity: '1', currency, ...share });
      // A discount is never more than its charges, of which less may stand by a cent.
      reduce(standing, discount, within(stands, part));
    }
  }
}

/**
 * Percentages of before their bases were stored, of one order line. Its periods share the line as
 * their base, so they are reduced together.
 */
function reduceTogether(
  periods: readonly InvoicedCharge[],
  { charges }: InvoicedLine,
  standing: Standing,
  view: UnusedView,
): void {
  const [first] = periods;
  if (first === undefined) return;
  const kind = first.kind === 'tax' ? 'tax' : 'percent';
  const base = charges.filter((charge) => isInBase(kind, charge.kind));
  const left = sumStanding(base, standing);
  const goesBack = compare(sum(base.map(({ amount }) => amount)), left);
  if (goesBack === 0) return;
  const billed = sum(periods.map(({ amount }) => amount));
  const credit = add(billed, negate(percentOf(first.unitPrice ?? '0', left, view.currency)));
  // Rounding by period may differ by cents from rounding once.
  if (compare(credit, '0') !== goesBack) return;
  const open = kind === 'tax' ? periods : periods.filter((each) => hasUnusedDays(each, view));
  takeNewestFirst(credit, open, standing);
}

/** Takes a credit from the newest charges first, up to the amount of each. */
function takeNewestFirst(
  credit: Decimal,
  charges: readonly InvoicedCharge[],
  standing: Standing,
): void {
  const sign = compare(credit, '0');
  let left = credit;
  // The days of one order line do not overlap.
  for (const charge of charges.toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1))) {
    if (compare(left, '0') === 0) break;
    if (compare(charge.amount, '0') !== sign) continue;
    const part = within(charge.amount, left);
    reduce(standing, charge, add(charge.amount, negate(part)));
    left = add(left, negate(part));
  }
}

function startOf({ billed }: InvoicedCharge): IsoDate {
  return billed?.from ?? '';
}
