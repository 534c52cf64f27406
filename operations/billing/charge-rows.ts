/** Builds the columns of a draft's charges: what each shows, and what it refers to by its kind. */
import assert from 'node:assert';
import type { InvoiceCharge } from '../../domain/billing/charges.ts';
import type { DraftLine } from '../../domain/billing/total.ts';
import { negate } from '../../domain/money/money.ts';
import type { BillableLine, DueCharge } from '../../domain/model.ts';
import type { CarriedCredit, ChargeInsert } from '../../db/queries/billing/write.ts';

/** The rows to which a stored charge refers; its base by the positions on the same line. */
type References = Pick<
  ChargeInsert,
  | 'order_line_id'
  | 'charge_id'
  | 'pricing_tier_id'
  | 'billed_period_id'
  | 'base_positions'
  | 'coupon_id'
  | 'tax_category'
>;

const noReferences: References = {
  order_line_id: null,
  charge_id: null,
  pricing_tier_id: null,
  billed_period_id: null,
  base_positions: null,
  coupon_id: null,
  tax_category: null,
};

/** @param periodIdOf the billed period of a due charge; a charge made by hand is of none */
export function chargeRows(
  { charges }: DraftLine,
  lineId: number,
  periodIdOf: (due: DueCharge) => number,
): ChargeInsert[] {
  const positions = new Map(charges.map(({ charge, position }) => [charge, position]));
  const positionOf = (charge: InvoiceCharge): number => {
    const position = positions.get(charge);
    assert(position !== undefined, 'the base of a charge is on its line');
    return position;
  };
  return charges.map((draft) => ({
    ...referencesOf(draft.charge, { periodIdOf, positionOf }),
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

interface Lookup {
  readonly periodIdOf: (due: DueCharge) => number;
  readonly positionOf: (charge: InvoiceCharge) => number;
}

function referencesOf(charge: InvoiceCharge, lookup: Lookup): References {
  switch (charge.kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
      return ofDue(charge, lookup);
    case 'percent':
      return { ...ofDue(charge, lookup), base_positions: baseOf(charge, lookup) };
    case 'tax':
      if ('rate' in charge) {
        const { category: tax_category } = charge.rate;
        return { ...noReferences, base_positions: baseOf(charge, lookup), tax_category };
      }
      return 'base' in charge
        ? { ...ofDue(charge, lookup), base_positions: baseOf(charge, lookup) }
        : ofDue(charge, lookup);
    case 'usage':
      return { ...ofLine(charge.window.line), pricing_tier_id: charge.tierId };
    case 'usageSubTotal':
      return ofLine(charge.window.line);
    case 'discount': {
      const { coupon, discounts } = charge;
      const billed_period_id = 'share' in discounts ? lookup.periodIdOf(discounts) : null;
      const { id: order_line_id } = discounts.line;
      return { ...noReferences, order_line_id, billed_period_id, coupon_id: coupon.id };
    }
    case 'credit':
      return { ...noReferences, order_line_id: charge.credits.orderLineId };
    case 'manual':
      return noReferences;
  }
}

function ofLine({ id, charge }: BillableLine): References {
  return { ...noReferences, order_line_id: id, charge_id: charge.id };
}

function ofDue(
  { due, tierId }: Extract<InvoiceCharge, { readonly due: DueCharge }>,
  { periodIdOf }: Lookup,
): References {
  return { ...ofLine(due.line), pricing_tier_id: tierId, billed_period_id: periodIdOf(due) };
}

function baseOf(
  { base }: Extract<InvoiceCharge, { readonly base: readonly InvoiceCharge[] }>,
  { positionOf }: Lookup,
): number[] {
  return base.map(positionOf).toSorted((one, other) => one - other);
}

/** What the credits of a line give back of earlier charges. */
export function creditRows({ charges }: DraftLine, lineId: number): CarriedCredit[] {
  return charges.flatMap(({ charge, position }) => {
    if (charge.kind !== 'credit') return [];
    const { credits, from, to, amount } = charge;
    const carrier = { invoice_line_id: lineId, position };
    const days = { unused_from: from, unused_to: to };
    return [{ ...carrier, ...days, invoice_charge_id: credits.chargeId, amount: negate(amount) }];
  });
}
