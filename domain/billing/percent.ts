/** Percentages of other charges of the same order on the same invoice. */
import assert from 'node:assert';
import type { Decimal, IsoDate } from '../model.ts';
import { add, roundedAmount } from '../money/money.ts';
import type { ChargeKind } from './kinds.ts';
import type { RatedCharge } from './rate.ts';

/** A percentage of an amount, rounded once. @example percentOf('7.5', '31.00', 'USD') // '2.33' */
export function percentOf(percent: Decimal, amount: Decimal, currency: string): Decimal {
  const share = { price: percent, quantity: amount, numerator: 1, denominator: 100 };
  return roundedAmount({ ...share, currency });
}

/**
 * Whether a charge is in the base of a percentage of that kind: a tax is in no base, and a
 * percentage only in that of a tax. @example isInBase('tax', 'percent') // true
 */
export function isInBase(of: 'percent' | 'tax', kind: ChargeKind): boolean {
  if (kind === 'tax' || kind === 'usageSubTotal') return false;
  return of === 'tax' || kind !== 'percent';
}

/**
 * Computes the amounts of the percentages of one kind on an invoice line.
 *
 * If several periods of one percentage are on one invoice, they share its base, so that a late run
 * costs the same as one on time: each other charge counts for the last period that was due when the
 * charge was due, or else for the first.
 */
export function withPercentages(
  charges: readonly RatedCharge[],
  kind: 'percent' | 'tax',
  currency: string,
): readonly RatedCharge[] {
  const isWanted = (charge: RatedCharge): boolean => charge.isPercent && charge.kind === kind;
  const percentages = charges.filter(isWanted);
  if (percentages.length === 0) return charges;
  const base = sumsByDay(charges.filter((charge) => isInBase(kind, charge.kind)));
  const amounts = new Map<RatedCharge, Decimal>();
  for (const periods of Map.groupBy(percentages, ({ due }) => due.line.id).values()) {
    for (const [charge, part] of shared(base, periods)) {
      amounts.set(charge, percentOf(charge.unitPrice, part, currency));
    }
  }
  return charges.map((charge) => {
    const amount = amounts.get(charge);
    return amount === undefined ? charge : { ...charge, amount };
  });
}

interface DaySum {
  readonly dueOn: IsoDate;
  readonly amount: Decimal;
}

function sumsByDay(charges: readonly RatedCharge[]): readonly DaySum[] {
  const sums = new Map<IsoDate, Decimal>();
  for (const { due, amount } of charges) {
    assert(amount !== null, 'the base of a percentage has amounts');
    sums.set(due.dueOn, add(sums.get(due.dueOn) ?? '0', amount));
  }
  return [...sums]
    .map(([dueOn, amount]) => ({ dueOn, amount }))
    .toSorted((a, b) => byDay(a.dueOn, b.dueOn));
}

function shared(
  base: readonly DaySum[],
  periods: readonly RatedCharge[],
): ReadonlyMap<RatedCharge, Decimal> {
  const inTime = periods.toSorted((a, b) => byDay(a.due.dueOn, b.due.dueOn));
  const parts = new Map<RatedCharge, Decimal>(inTime.map((charge) => [charge, '0']));
  let place = 0;
  for (const { dueOn, amount } of base) {
    while ((inTime[place + 1]?.due.dueOn ?? '9999') <= dueOn) place += 1;
    const charge = inTime[place];
    assert(charge, 'a percentage has a period');
    parts.set(charge, add(parts.get(charge) ?? '0', amount));
  }
  return parts;
}

function byDay(left: IsoDate, right: IsoDate): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
