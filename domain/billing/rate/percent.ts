/** Percentages of other charges of the same order on the same invoice. */
import assert from 'node:assert';
import type { IsoDate } from '../../calendar/calendar.ts';
import { roundedAmount, sum, type Decimal } from '../../money/money.ts';
import {
  dueOnOf,
  givesBack,
  isPriced,
  type InvoiceCharge,
  type OpenPercentage,
  type PercentCharge,
  type RatedCharge,
} from '../charges.ts';
import type { ChargeKind } from '../kinds.ts';

/** A percentage of an amount, rounded once. @example percentOf('7.5', '31.00', 'USD') // '2.33' */
export function percentOf(percent: Decimal, amount: Decimal, currency: string): Decimal {
  const share = { price: percent, quantity: amount, numerator: 1, denominator: 100 };
  return roundedAmount({ ...share, currency });
}

/**
 * Whether a charge is in the base of a percentage of that kind. A tax sees discounts and
 * percentages; a percentage sees neither. Nothing sees taxes and credits.
 * @example isInBase('tax', 'percent') // true
 */
export function isInBase(of: 'percent' | 'tax', kind: ChargeKind): boolean {
  switch (kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'usage':
      return true;
    case 'percent':
    case 'discount':
      return of === 'tax';
    case 'usageSubTotal':
    case 'credit':
    case 'tax':
    case 'manual':
      return false;
  }
}

/**
 * Computes the amounts of the percentages of one kind on an invoice line.
 *
 * If several periods of one percentage are on one invoice, they share its base, so that a late run
 * costs the same as one on time: each other charge counts for the last period that was due when the
 * charge was due, or else for the first.
 */
export function withPercentages<Kind extends 'percent' | 'tax'>(
  charges: readonly RatedCharge[],
  kind: Kind,
  currency: string,
): readonly RatedCharge[] {
  const isWanted = (charge: RatedCharge): charge is OpenPercentage<Kind> =>
    !isPriced(charge) && charge.kind === kind;
  const percentages = charges.filter(isWanted);
  if (percentages.length === 0) return charges;
  const base = charges.filter((charge) => isInBase(kind, charge.kind) && !givesBack(charge));
  assert(base.every(isPriced), 'the base of a percentage has amounts');
  const inTime = base.toSorted((a, b) => byDay(dueOnOf(a), dueOnOf(b)));
  const bases = new Map<OpenPercentage, readonly InvoiceCharge[]>();
  for (const periods of Map.groupBy(percentages, ({ due }) => due.line.id).values()) {
    for (const [charge, part] of shared(inTime, periods)) bases.set(charge, part);
  }
  return charges.map((charge) =>
    isWanted(charge) ? closed(charge, bases.get(charge) ?? [], currency) : charge,
  );
}

function closed<Kind extends 'percent' | 'tax'>(
  { kind, due, tierId, quantity, percent }: OpenPercentage<Kind>,
  base: readonly InvoiceCharge[],
  currency: string,
): PercentCharge<Kind> {
  const amount = percentOf(percent, sum(base.map((charge) => charge.amount)), currency);
  return { kind, due, tierId, quantity, percent, base, amount };
}

/** The base of each period of one percentage. */
function shared(
  base: readonly InvoiceCharge[],
  periods: readonly OpenPercentage[],
): ReadonlyMap<OpenPercentage, readonly InvoiceCharge[]> {
  const inTime = periods.toSorted((a, b) => byDay(a.due.dueOn, b.due.dueOn));
  const parts = new Map(inTime.map((period) => [period, [] as InvoiceCharge[]]));
  let place = 0;
  for (const charge of base) {
    while ((inTime[place + 1]?.due.dueOn ?? '9999') <= dueOnOf(charge)) place += 1;
    const period = inTime[place];
    assert(period, 'a percentage has a period');
    parts.get(period)?.push(charge);
  }
  return parts;
}

function byDay(left: IsoDate, right: IsoDate): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
