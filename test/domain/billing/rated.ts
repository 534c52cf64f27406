/** Charges between the stages of rating; a test changes the fields that it needs. */
import type { RatedCharge } from '../../../domain/billing/rate.ts';
import type { Charge, Decimal, DueCharge } from '../../../domain/model.ts';
import { chargeWith, lineWith, tiersOf } from '../fixtures.ts';

const wholePeriod = { numerator: 1, denominator: 1 } as const;

/** January of a line of 31.00. */
export function dueWith(changes: Partial<DueCharge> = {}): DueCharge {
  return {
    line: lineWith(),
    periodIndex: 0,
    from: '2027-01-01',
    to: '2027-01-31',
    dueOn: '2027-01-01',
    share: wholePeriod,
    ...changes,
  };
}

/** A percentage charge of an order line. */
export function percentage(percent: Decimal, changes: Partial<Charge> = {}): Charge {
  const tiers = tiersOf([['0', null, null]]).map((tier) => ({ ...tier, percent }));
  return chargeWith({ tiers, ...changes });
}

type Rated = Pick<RatedCharge, 'kind'> & Partial<RatedCharge>;

/** A charge with an amount. */
export function costing(amount: Decimal, changes: Rated = { kind: 'period' }): RatedCharge {
  return {
    due: dueWith(),
    isPercent: false,
    tierId: 1,
    quantity: '1',
    unitPrice: amount,
    amount,
    ...changes,
  };
}

interface PercentageOptions {
  readonly lineId?: number;
  readonly dueOn?: string;
  readonly kind?: 'percent' | 'tax';
}

/** A percentage without an amount, of a separate order line. */
export function percentOfOthers(
  percent: Decimal,
  { lineId = 50, dueOn = '2027-01-01', kind = 'percent' }: PercentageOptions = {},
): RatedCharge {
  const line = lineWith({ id: lineId, charge: percentage(percent) });
  const due = dueWith({ line, dueOn, from: dueOn });
  return { kind, due, isPercent: true, tierId: 1, quantity: '1', unitPrice: percent, amount: null };
}

export const amountsOf = (charges: readonly RatedCharge[]) => charges.map(({ amount }) => amount);
