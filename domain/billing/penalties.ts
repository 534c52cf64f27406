/** Lists the due charges of a penalty, which follow from the customer's ageing. */
import assert from 'node:assert';
import { maxDate, periodAt, periodIndexOf } from '../calendar/calendar.ts';
import type { IsoDate } from '../calendar/date.ts';
import type { BillableLine } from '../standing/line.ts';
import { walkPeriods, type BillingView, type LineWalk } from './periods.ts';

/**
 * Whether a line is a penalty whose customer stands at or past its status.
 *
 * @example isPenaltyDue({ charge: lateFee, penaltySince: null, ... }) // false
 */
export function isPenaltyDue({ charge, penaltySince }: BillableLine): boolean {
  return charge.isPenalty && penaltySince !== null && penaltySince !== undefined;
}

/**
 * Walks a penalty. A one-time penalty is due on the day of the step, once each time the customer
 * gets there; its pointer counts the times. A recurring one covers the periods of the order that
 * begin on that day or later, and not the one under way. Both within the line's days.
 */
export function walkPenalty(line: BillableLine, since: IsoDate, view: BillingView): LineWalk {
  if (line.charge.chargeType !== 'OneTimeCharge') {
    const first = firstBegunFrom(since, view);
    const nextPeriodIndex = Math.max(line.nextPeriodIndex, first);
    return walkPeriods({ ...line, nextPeriodIndex }, view);
  }
  const { nextPeriodIndex: periodIndex } = line;
  let isOpen = view.scope === 'all' && isInForce(line, since);
  let nextPeriodIndex = periodIndex;
  const pass = (): void => {
    isOpen = false;
    nextPeriodIndex += 1;
  };
  return {
    line,
    dueOn: () => (isOpen ? since : null),
    pass,
    take: () => {
      assert(isOpen, 'a charge is in sight');
      pass();
      const share = { numerator: 1, denominator: 1 };
      return { line, periodIndex, from: since, to: since, dueOn: since, share };
    },
    nextPeriodIndex: () => nextPeriodIndex,
  };
}

/** Only the line's own days count: ageing chooses the orders. */
function isInForce({ startsOn, endsOn }: BillableLine, day: IsoDate): boolean {
  return (startsOn === null || startsOn <= day) && (endsOn === null || day <= endsOn);
}

/** The first period of the order that begins on a day or later; its first one begins with it. */
function firstBegunFrom(day: IsoDate, { schedule, ofOrder: { start } }: BillingView): number {
  const index = periodIndexOf(schedule, maxDate(day, start));
  return maxDate(periodAt(schedule, index).start, start) < day ? index + 1 : index;
}
