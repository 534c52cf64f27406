/** Builds the columns of a draft's charges: what each shows, and what it refers to by its kind. */
import assert from 'node:assert';
import type { InvoiceCharge } from '../../domain/billing/charges.ts';
import { referencesOf } from '../../domain/billing/references.ts';
import type { DraftLine } from '../../domain/billing/total.ts';
import { givenBackBy } from '../../domain/billing/corrected.ts';
import type { DueCharge, UsageWindow } from '../../domain/billing/due-charges.ts';
import type { CarriedCredit, ChargeInsert } from '../../db/queries/billing/write.ts';

/** The stored rows that charges bill or discount; a charge made by hand is of none. */
export interface BilledIds {
  /** The billed period of a due charge. */
  readonly periodIdOf: (due: DueCharge) => number;
  readonly windowIdOf: (window: UsageWindow) => number;
}

export function chargeRows(
  { charges }: DraftLine,
  lineId: number,
  billed: BilledIds,
): ChargeInsert[] {
  const positions = new Map(charges.map(({ charge, position }) => [charge, position]));
  const positionOf = (charge: InvoiceCharge): number => {
    const position = positions.get(charge);
    assert(position !== undefined, 'the base of a charge is on its line');
    return position;
  };
  return charges.map((draft) => ({
    ...referenceColumns(draft.charge, { ...billed, positionOf }),
    invoice_line_id: lineId,
    position: draft.position,
    kind: draft.charge.kind,
    price_code: draft.priceCode,
    accounting_code: draft.accountingCode,
    invoice_text: draft.invoiceText,
    is_percent: draft.isPercent,
    billing_start_date: draft.billingStartDate,
    billing_end_date: draft.billingEndDate,
    charge_date: draft.chargeDate,
    unit_price: draft.unitPrice,
    quantity: draft.quantity,
    unit_of_measure: draft.unitOfMeasure,
    amount: draft.amount,
  }));
}

interface Lookup extends BilledIds {
  readonly positionOf: (charge: InvoiceCharge) => number;
}

/** Its base is stored by the positions on the same line. */
function referenceColumns(charge: InvoiceCharge, { periodIdOf, windowIdOf, positionOf }: Lookup) {
  const { orderLineId, chargeId, tierId, due, window, base, couponId, rate } = referencesOf(charge);
  return {
    order_line_id: orderLineId,
    charge_id: chargeId,
    pricing_tier_id: tierId,
    billed_period_id: due && periodIdOf(due),
    usage_window_id: window && windowIdOf(window),
    base_positions: base && base.map(positionOf).toSorted((one, other) => one - other),
    coupon_id: couponId,
    tax_code: rate?.taxCode ?? null,
    tax_category: rate?.category ?? null,
    tax_reason: rate?.exemptionReason ?? null,
  };
}

/** What the charges of a line give back of earlier ones. */
export function creditRows({ charges }: DraftLine, lineId: number): CarriedCredit[] {
  return charges.flatMap(({ charge, position }) => {
    const isUnused = charge.kind === 'credit' && charge.corrects === undefined;
    const [from, to] = isUnused ? [charge.from, charge.to] : [null, null];
    const carrier = { invoice_line_id: lineId, position, unused_from: from, unused_to: to };
    return givenBackBy(charge).map(({ chargeId: invoice_charge_id, amount }) => ({
      ...carrier,
      invoice_charge_id,
      amount,
    }));
  });
}
