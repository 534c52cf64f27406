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
    invoiceLineId: lineId,
    position: draft.position,
    kind: draft.charge.kind,
    priceCode: draft.priceCode,
    accountingCode: draft.accountingCode,
    invoiceText: draft.invoiceText,
    isPercent: draft.isPercent,
    billingStartDate: draft.billingStartDate,
    billingEndDate: draft.billingEndDate,
    chargeDate: draft.chargeDate,
    unitPrice: draft.unitPrice,
    quantity: draft.quantity,
    unitOfMeasure: draft.unitOfMeasure,
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
    orderLineId,
    chargeId,
    pricingTierId: tierId,
    billedPeriodId: due && periodIdOf(due),
    usageWindowId: window && windowIdOf(window),
    basePositions: base && base.map(positionOf).toSorted((one, other) => one - other),
    couponId,
    taxCode: rate?.taxCode ?? null,
    taxCategory: rate?.category ?? null,
    taxReason: rate?.exemptionReason ?? null,
  };
}

/** What the charges of a line give back of earlier ones. */
export function creditRows({ charges }: DraftLine, lineId: number): CarriedCredit[] {
  return charges.flatMap(({ charge, position }) => {
    const isUnused = charge.kind === 'credit' && charge.corrects === undefined;
    const [from, to] = isUnused ? [charge.from, charge.to] : [null, null];
    const carrier = { invoiceLineId: lineId, position, unusedFrom: from, unusedTo: to };
    return givenBackBy(charge).map(({ chargeId: invoiceChargeId, amount }) => ({
      ...carrier,
      invoiceChargeId,
      amount,
    }));
  });
}
