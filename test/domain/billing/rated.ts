/** Charges between the stages of rating, of which a test changes what matters to it. */
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

/** A charge of an order line that is a percentage. */
export function percentage(percent: Decimal, changes: Partial<Charge> = {}): Charge {
  const tiers = tiersOf([['0', null, null]]).map((tier) => ({ ...tier, percent }));
  return chargeWith({ tiers, ...changes });
}

type Rated = Pick<RatedCharge, 'kind'> & Partial<RatedCharge>;

/** A charge of an amount. */
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

/** A percentage without its amount, of an order line of its own. */
export function percentOfOthers(
  percent: Decimal,
  { lineId = 50, dueOn = '2027-01-01', kind = 'percent' }: PercentageOptions = {},
): RatedCharge {
  const line = lineWith({ id: lineId, charge: percentage(percent) });
  const due = dueWith({ line, dueOn, from: dueOn });
  return { kind, due, isPercent: true, tierId: 1, quantity: '1', unitPrice: percent, amount: null };
}

export const amountsOf = (charges: readonly RatedCharge[]) => charges.map(({ amount }) => amount);
