/** Charges between the stages of rating; a test changes the fields that it needs. */
import {
  isPriced,
  type InvoiceCharge,
  type OpenPercentage,
  type RatedCharge,
} from '../../../domain/billing/charges.ts';
import type { DueCharge, UsageWindow } from '../../../domain/billing/due/due-charges.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
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

interface Costing {
  readonly kind:
    | 'period'
    | 'oneTime'
    | 'penalty'
    | 'tax'
    | 'usage'
    | 'usageSubTotal'
    | 'discount'
    | 'credit';
  readonly due?: DueCharge;
}

const windowOf = (due: DueCharge): UsageWindow => ({ ...due, ofPeriod: due.periodIndex });

/** A charge with an amount. */
export function costing(
  amount: Decimal,
  { kind, due = dueWith() }: Costing = { kind: 'period' },
): InvoiceCharge {
  const part = { tierId: 1, quantity: '1', unitPrice: amount, amount };
  switch (kind) {
    case 'usage':
      return { kind, window: windowOf(due), isPercent: false, ...part };
    case 'usageSubTotal':
      return { kind, window: windowOf(due), quantity: '1', amount, percent: null, shared: null };
    case 'discount':
      return {
        kind,
        coupon: { id: 1, code: 'LESS', percent: null },
        discounts: due,
        periodIndex: 0,
        amount,
      };
    case 'credit': {
      const credits = {
        chargeId: 1,
        orderLineId: due.line.id,
        priceCode: null,
        accountingCode: null,
        discount: null,
        invoiceText: null,
        taxCode: null,
        isTax: false,
      };
      return { kind, credits, from: due.from, to: due.to, amount };
    }
    default:
      return { kind, due, ...part };
  }
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
): OpenPercentage {
  const line = lineWith({ id: lineId, charge: percentage(percent) });
  const due = dueWith({ line, dueOn, from: dueOn });
  return { kind, due, tierId: 1, quantity: '1', percent };
}

/** Null while a percentage is open. */
export const amountOf = (charge: RatedCharge): Decimal | null =>
  isPriced(charge) ? charge.amount : null;

export const amountsOf = (charges: readonly RatedCharge[]) => charges.map(amountOf);

/** The due charge that a charge of an invoice bills; throws if it bills none. */
export function billedBy({ charge }: { readonly charge: InvoiceCharge }): DueCharge {
  if (!('due' in charge)) throw new Error(`a charge of kind ${charge.kind} bills no due charge`);
  return charge.due;
}
