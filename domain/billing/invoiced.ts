/** A drafted invoice line as it is read once it is stored, for the credit of its unused days. */
import type { DueCharge } from './due-charges.ts';
import type { IsoDate } from '../model.ts';
import { planChargeOf, taxCodeOf } from './charges.ts';
import { referencesOf } from './references.ts';
import type { DraftCharge } from './total.ts';
import type { InvoicedLine } from './unused.ts';

/**
 * The ids of its charges are their positions; each due charge is a billed period.
 *
 * @example invoicedLine(draft.lines[0].charges, '2027-01-15').charges[0].amount // '29.95'
 */
export function invoicedLine(charges: readonly DraftCharge[], invoicedOn: IsoDate): InvoicedLine {
  const positions = new Map(charges.map(({ charge, position }) => [charge, position]));
  const periods = new Map<DueCharge, number>();
  const periodIdOf = (due: DueCharge): number => {
    const id = periods.get(due) ?? periods.size + 1;
    periods.set(due, id);
    return id;
  };
  return {
    invoicedOn,
    charges: charges
      .filter(({ charge }) => charge.kind !== 'usageSubTotal')
      .map(({ charge, position, ...shown }) => {
        const { due, base, orderLineId, couponId } = referencesOf(charge);
        const ofPlan = charge.kind === 'discount' ? null : planChargeOf(charge);
        const { priceCode, accountingCode, invoiceText, isPercent } = shown;
        const { unitPrice, quantity, amount } = shown;
        return {
          id: position,
          position,
          kind: charge.kind,
          isPercent,
          isRecurring: ofPlan?.chargeType === 'RecurringCharge',
          isProrated: ofPlan?.isProrated ?? false,
          couponId,
          priceCode,
          accountingCode,
          invoiceText,
          taxCode: taxCodeOf(charge),
          orderLineId,
          basePositions: base && base.map((each) => positions.get(each) ?? 0),
          unitPrice,
          quantity,
          amount,
          billed: due && {
            periodId: periodIdOf(due),
            periodIndex: due.periodIndex,
            from: due.from,
            to: due.to,
          },
        };
      }),
  };
}
