/** The order that waits for a change of another, once that change takes effect on another day. */
import { firstIndex, type IsoDate } from '../calendar/calendar.ts';
import { startsElsewhere } from '../billing/due/elsewhere.ts';
import { type OrderToRate, scheduleOfOrder } from '../billing/order-to-rate.ts';
import type { Plan } from '../plans/plan.ts';
import { firstPeriods } from './propose.ts';
import { couponPeriodsBefore, scheduleAfter } from './replaced.ts';

/**
 * It begins on that day, in the periods of the order that it replaces.
 *
 * @example alignedOn(next, { current, plans }, '2027-03-01').startDate // '2027-03-01'
 */
export function alignedOn(
  next: OrderToRate,
  { current, plans }: { readonly current: OrderToRate; readonly plans: ReadonlyMap<number, Plan> },
  on: IsoDate,
): OrderToRate {
  const [plan, currentPlan] = [plans.get(next.planId), plans.get(current.planId)];
  if (plan === undefined || currentPlan === undefined) return next;
  const replaced = { ...current, schedule: scheduleOfOrder(current, currentPlan) };
  const schedule = scheduleAfter(plan, on, replaced);
  const coupon = next.couponId === null ? null : { id: next.couponId };
  const firstOf = firstPeriods(schedule, on);
  const charges = new Map(plan.charges.map((charge) => [charge.id, charge]));
  const { billedThrough = null, arrearsBilledThrough = null } = next;
  const known = next.lines.flatMap(({ chargeId, isActive }) => {
    const charge = charges.get(chargeId);
    return charge === undefined ? [] : [{ charge, isActive }];
  });
  const elsewhere = { billedThrough, arrearsBilledThrough, schedule, startDate: on };
  const startOf = startsElsewhere(known, elsewhere);
  return {
    ...next,
    startDate: on,
    termStart: next.termStart === next.startDate ? on : next.termStart,
    anchor: schedule.anchor,
    firstPeriod: firstIndex(schedule, on),
    couponPeriodsBefore: couponPeriodsBefore(coupon, schedule, on, replaced),
    lines: next.lines.map((line) => {
      const charge = charges.get(line.chargeId);
      if (charge === undefined) return line;
      // Until the change its lines have no other first days.
      return { ...line, nextPeriodIndex: firstOf(charge), startsOn: startOf(charge) };
    }),
  };
}
