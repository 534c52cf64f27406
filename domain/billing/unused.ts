/** Computes the credit on an invoice for days that an order no longer uses. */
import { daysFromTo, maxDate, periodAt } from '../calendar/calendar.ts';
import type { Decimal, IsoDate, Schedule, ServicePause } from '../model.ts';
import { add, compare, formatAmount, negate, roundedAmount, sum } from '../money/money.ts';
import { servedAmong, unservedDays } from './served-days.ts';
import type { Days } from './served-days.ts';
import type { ChargeKind } from './kinds.ts';
import { isInBase, percentOf } from './percent.ts';

/** A stored charge of an invoice. */
export interface InvoicedCharge {
  readonly id: number;
  readonly kind: ChargeKind;
  readonly isPercent: boolean;
  /** Recurring, prepaid and prorated, so unused days are credited. */
  readonly isPrepaidByDays: boolean;
  readonly orderLineId: number | null;
  readonly unitPrice: Decimal | null;
  readonly quantity: Decimal | null;
  readonly amount: Decimal;
  /** Null if it bills no days. */
  readonly billed: (Days & { readonly periodIndex: number }) | null;
}

/** All charges of an order on one invoice, without subtotals. */
export interface InvoicedLine {
  readonly invoicedOn: IsoDate;
  readonly charges: readonly InvoicedCharge[];
}

export interface UnusedView {
  /** The first unused day. */
  readonly unusedFrom: IsoDate;
  readonly schedule: Schedule;
  readonly pauses: readonly ServicePause[];
  readonly currency: string;
}

/** The amount of a charge to credit. */
export interface ChargeCredit {
  readonly chargeId: number;
  /** The last unused day; null for a charge that bills no days, or none of these. */
  readonly unusedTo: IsoDate | null;
  readonly amount: Decimal;
}

/**
 * The credits for one invoice of an order: what was billed, less the rounded cost of the used days.
 * Suspended days count as used. A percentage that is prepaid by days, and every isTax percentage,
 * is reduced to the percentage of what remains of its base.
 *
 * @example // 29.95 for 31 days; the 17 used days cost 16.42
 *   unusedCredits(line, view) // [{ chargeId: 4711, unusedTo: '2027-02-14', amount: '13.53' }]
 */
export function unusedCredits(line: InvoicedLine, view: UnusedView): readonly ChargeCredit[] {
  const credits = new Map<InvoicedCharge, Decimal>();
  for (const charge of line.charges) {
    if (charge.isPercent || !hasUnusedDays(charge, view)) continue;
    const used = costOfUsedDays(charge, line.invoicedOn, view);
    if (used !== null) credits.set(charge, add(charge.amount, negate(used)));
  }
  for (const kind of ['percent', 'tax'] as const) creditPercentages(line, kind, credits, view);
  return [...credits]
    .filter(([, amount]) => compare(amount, '0') !== 0)
    .map(([{ id: chargeId, billed }, amount]) => ({
      chargeId,
      unusedTo: billed !== null && billed.to >= view.unusedFrom ? billed.to : null,
      amount: formatAmount(view.currency, amount),
    }));
}

function hasUnusedDays({ isPrepaidByDays, billed }: InvoicedCharge, view: UnusedView): boolean {
  return isPrepaidByDays && billed !== null && billed.to >= view.unusedFrom;
}

function costOfUsedDays(
  { billed, unitPrice: price, quantity }: InvoicedCharge,
  invoicedOn: IsoDate,
  { unusedFrom, schedule, pauses, currency }: UnusedView,
): Decimal | null {
  if (billed === null || price === null || quantity === null) return null;
  const whole = periodAt(schedule, billed.periodIndex);
  // Days of an earlier pause were not billed; days of a later pause are not credited.
  const known = pauses.filter(({ resumedOn }) => resumedOn !== null && resumedOn <= invoicedOn);
  const paid = servedAmong(billed, unservedDays(known))?.count ?? 0;
  const unused = daysFromTo(maxDate(billed.from, unusedFrom), billed.to);
  return roundedAmount({
    price,
    quantity,
    currency,
    numerator: Math.max(0, paid - unused),
    denominator: daysFromTo(whole.start, whole.end),
  });
}

/** Several periods of one percentage share a base, so they are reduced together. */
function creditPercentages(
  { charges }: InvoicedLine,
  kind: 'percent' | 'tax',
  credits: Map<InvoicedCharge, Decimal>,
  view: UnusedView,
): void {
  const base = charges.filter((charge) => isInBase(kind, charge.kind));
  const goesBack = sum(base.map((charge) => credits.get(charge) ?? '0'));
  if (compare(goesBack, '0') === 0) return;
  const left = add(sum(base.map(({ amount }) => amount)), negate(goesBack));
  const percentages = charges.filter((charge) => charge.isPercent && charge.kind === kind);
  for (const periods of Map.groupBy(percentages, (each) => each.orderLineId).values()) {
    const percent = periods[0]?.unitPrice ?? '0';
    const billed = sum(periods.map(({ amount }) => amount));
    const credit = add(billed, negate(percentOf(percent, left, view.currency)));
    // Rounding by period may differ by cents from rounding once.
    if (compare(credit, '0') !== compare(goesBack, '0')) continue;
    const open = kind === 'tax' ? periods : periods.filter((each) => hasUnusedDays(each, view));
    for (const [charge, amount] of spread(credit, open)) credits.set(charge, amount);
  }
}

/** Spreads a credit over the newest charges first, up to the amount of each. */
function spread(
  credit: Decimal,
  charges: readonly InvoicedCharge[],
): ReadonlyMap<InvoicedCharge, Decimal> {
  const parts = new Map<InvoicedCharge, Decimal>();
  const sign = compare(credit, '0');
  let left = credit;
  // The days of one order line do not overlap.
  const newestFirst = charges.toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
  for (const charge of newestFirst) {
    if (compare(left, '0') === 0) break;
    if (compare(charge.amount, '0') !== sign) continue;
    const isEnough = compare(charge.amount, left) * sign >= 0;
    const part = isEnough ? left : charge.amount;
    parts.set(charge, part);
    left = add(left, negate(part));
  }
  return parts;
}

function startOf({ billed }: InvoicedCharge): IsoDate {
  return billed?.from ?? '';
}
