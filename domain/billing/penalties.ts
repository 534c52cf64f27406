/** Lists the due charges of a penalty, which follow from the customer's ageing. */
import assert from 'node:assert';
import { maxDate, periodIndexOf } from '../calendar/calendar.ts';
import type { BillableLine, IsoDate } from '../model.ts';
import { walkPeriods, type BillingView, type LineWalk } from './periods.ts';

/**
 * Whether a line is a penalty whose customer stands at or past its status.
 *
 * @example isPenaltyDue({ charge: lateFee, penaltySince: null, ... }) // false
 */
export function isPenaltyDue({ charge, penaltySince }: BillableLine): boolean {
  const isPlain = charge.chargeType !== 'UsageCharge';
  return charge.isPenalty && isPlain && penaltySince !== null && penaltySince !== undefined;
}

/**
 * Walks a penalty. A one-time penalty is due on the day of the step, once each time the customer
 * gets there; its pointer counts the times. A recurring one covers the periods from that day on.
 */
export function walkPenalty(line: BillableLine, since: IsoDate, view: BillingView): LineWalk {
  if (line.charge.chargeType !== 'OneTimeCharge') {
    const first = periodIndexOf(view.schedule, since);
    const nextPeriodIndex = Math.max(line.nextPeriodIndex, first);
    const start = maxDate(view.start, since);
    return walkPeriods({ ...line, nextPeriodIndex }, { ...view, start });
  }
  const { nextPeriodIndex: periodIndex } = line;
  let isOpen = view.scope === 'all';
  const pass = (): void => {
    isOpen = false;
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
    nextPeriodIndex: () => (view.scope === 'all' && !isOpen ? periodIndex + 1 : periodIndex),
  };
}
