/** What a charge of an invoice refers to, by its kind: for its row, and for its document. */
import type { DueCharge, UsageWindow } from './due/due-charges.ts';
import type { BillableLine } from '../standing/line.ts';
import type { ChargedRate } from '../tax/rates.ts';
import type { InvoiceCharge } from './charges.ts';

export interface ChargeReferences {
  readonly orderLineId: number | null;
  /** The charge of the plan. */
  readonly chargeId: number | null;
  readonly tierId: number | null;
  /** The due charge whose billed period it bills, or discounts. */
  readonly due: DueCharge | null;
  /** The usage window that it bills, or discounts. */
  readonly window: UsageWindow | null;
  /** The charges on its line of which it is a percentage. */
  readonly base: readonly InvoiceCharge[] | null;
  readonly couponId: number | null;
  /** The rate of a tax of the table. */
  readonly rate: ChargedRate | null;
}

const noReferences: ChargeReferences = {
  orderLineId: null,
  chargeId: null,
  tierId: null,
  due: null,
  window: null,
  base: null,
  couponId: null,
  rate: null,
};

/** @example referencesOf(fee) // { orderLineId: 50, chargeId: 100, tierId: 1, due, ... } */
export function referencesOf(charge: InvoiceCharge): ChargeReferences {
  switch (charge.kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'percent':
    case 'tax':
      if ('rate' in charge) {
        return { ...noReferences, base: charge.base, rate: charge.rate };
      }
      return 'base' in charge ? { ...ofDue(charge), base: charge.base } : ofDue(charge);
    case 'usage':
      return { ...ofWindow(charge.window), tierId: charge.tierId };
    case 'usageSubTotal':
      return ofWindow(charge.window);
    case 'discount': {
      const { coupon, discounts } = charge;
      const what = 'share' in discounts ? { due: discounts } : { window: discounts };
      return { ...noReferences, orderLineId: discounts.line.id, ...what, couponId: coupon.id };
    }
    case 'credit':
      return { ...noReferences, orderLineId: charge.credits.orderLineId };
    case 'manual':
      return noReferences;
  }
}

function ofLine({ id, charge }: BillableLine): ChargeReferences {
  return { ...noReferences, orderLineId: id, chargeId: charge.id };
}

function ofWindow(window: UsageWindow): ChargeReferences {
  return { ...ofLine(window.line), window };
}

function ofDue({
  due,
  tierId,
}: Extract<InvoiceCharge, { readonly due: DueCharge }>): ChargeReferences {
  return { ...ofLine(due.line), tierId, due };
}
