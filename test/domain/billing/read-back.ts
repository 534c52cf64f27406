/** A drafted invoice line as it is read from the database to credit its unused days. */
import { referencesOf } from '../../../domain/billing/references.ts';
import type { DraftCharge } from '../../../domain/billing/total.ts';
import type { InvoicedLine } from '../../../domain/billing/unused.ts';
import type { DueCharge, IsoDate } from '../../../domain/model.ts';

/** The ids of its charges are their positions; each due charge is a billed period. */
export function readBack(charges: readonly DraftCharge[], invoicedOn: IsoDate): InvoicedLine {
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
      .map(({ charge, position, isPercent, unitPrice, quantity, amount }) => {
        const { due, base, orderLineId } = referencesOf(charge);
        const ofPlan = charge.kind === 'discount' ? undefined : due?.line.charge;
        return {
          id: position,
          position,
          kind: charge.kind,
          isPercent,
          isPrepaidByDays:
            ofPlan !== undefined &&
            ofPlan.chargeType === 'RecurringCharge' &&
            ofPlan.isPrepaid &&
            ofPlan.isProrated,
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
