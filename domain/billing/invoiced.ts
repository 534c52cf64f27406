/** A drafted invoice line as it is read once it is stored, for the credit of its unused days. */
import { standingAt, type StandingDays } from './parts.ts';
import type { DueCharge, UsageWindow } from './due-charges.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { BilledDays } from '../standing/line.ts';
import { planChargeOf, taxCodeOf, type InvoiceCharge, type PeriodCharge } from './charges.ts';
import { referencesOf } from './references.ts';
import type { DraftCharge } from './total.ts';
import type { InvoicedLine } from './dependents.ts';

export interface InvoicedOf {
  readonly invoicedOn: IsoDate;
  /** A tax provider taxes the invoice. */
  readonly isProvided?: boolean;
}

/**
 * The ids of its charges are their positions; each due charge is a billed period.
 *
 * @example
 *   invoicedLine(draft.lines[0].charges, { invoicedOn: '2027-01-15' }).charges[0].amount // '29.95'
 */
export function invoicedLine(
  charges: readonly DraftCharge[],
  { invoicedOn, isProvided = false }: InvoicedOf,
): InvoicedLine {
  const positions = new Map(charges.map(({ charge, position }) => [charge, position]));
  const periods = new Map<DueCharge, number>();
  const windows = new Map<UsageWindow, number>();
  return {
    invoicedOn,
    isProvided,
    charges: charges
      .filter(({ charge }) => charge.kind !== 'usageSubTotal')
      .map(({ charge, position, ...shown }) => {
        const { due, window, base, orderLineId, couponId } = referencesOf(charge);
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
          windowId: window && idIn(windows, window),
          credited: '0',
          basePositions: base && base.map((each) => positions.get(each) ?? 0),
          unitPrice,
          quantity,
          amount,
          before: isOfPeriod(charge) ? earlierDays(charge, charges) : null,
          billed: due && {
            periodId: idIn(periods, due),
            periodIndex: due.periodIndex,
            from: due.from,
            to: due.to,
          },
        };
      }),
  };
}

/** What was billed for earlier days of the period of a part, on its own invoice or before. */
function earlierDays(
  { due, ...price }: PeriodCharge,
  charges: readonly DraftCharge[],
): StandingDays | null {
  if (due.before === undefined) return null;
  const together = charges.flatMap(({ charge }): readonly BilledDays[] => {
    if (!isOfPeriod(charge) || charge.due.line.id !== due.line.id) return [];
    const { periodIndex, from, to, share } = charge.due;
    return [{ periodIndex, from, to, cost: { days: share.numerator, parts: [charge] } }];
  });
  const earlier = [...due.before.billed, ...together].filter(
    ({ periodIndex, to }) => periodIndex === due.periodIndex && to < due.from,
  );
  return standingAt(price, earlier);
}

function isOfPeriod(charge: InvoiceCharge): charge is PeriodCharge {
  return 'due' in charge && 'unitPrice' in charge;
}

/** Counted from 1 in the order of being asked for. */
function idIn<Thing>(ids: Map<Thing, number>, thing: Thing): number {
  const id = ids.get(thing) ?? ids.size + 1;
  ids.set(thing, id);
  return id;
}
