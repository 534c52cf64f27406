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
 * Whether a charge is among those of which a percentage of that kind is taken: a tax is in none, a
 * percentage only in that of a tax. @example isInBase('tax', 'percent') // true
 */
export function isInBase(of: 'percent' | 'tax', kind: ChargeKind): boolean {
  if (kind === 'tax' || kind === 'usageSubTotal') return false;
  return of === 'tax' || kind !== 'percent';
}

/**
 * Gives the percentages of one kind among the charges of an invoice line their amounts.
 *
 * Several periods of one percentage that come to one invoice share what it is taken of, so that
 * a late run costs no more than one in time: each other charge counts for the last of the periods
 * that was due when it was due, or else for the first.
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
    assert(amount !== null, 'what a percentage is taken of has its amount');
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
