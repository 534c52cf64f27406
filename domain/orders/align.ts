/** The order that waits for a change of another, once that change takes effect on another day. */
import { firstIndex, type IsoDate } from '../calendar/calendar.ts';
import { startsElsewhere } from '../billing/due/elsewhere.ts';
import { type OrderToRate, scheduleOfOrder } from '../billing/order-to-rate.ts';
import type { Plan } from '../plans/plan.ts';
import { billsFrom, type TrialDays } from '../standing/trial.ts';
import { firstPeriods } from './propose.ts';
import { couponPeriodsBefore, scheduleAfter } from './replaced.ts';
import { trialEndDateOf } from './trial.ts';

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
  const { trialDays } = next;
  const basis = { plan, startDate: on, trialDays, isUsed: false, replaces: current };
  const days = { startDate: on, trialEndDate: trialEndDateOf(basis) };
  const schedule = scheduleAfter(plan, days, replaced);
  const coupon = next.couponId === null ? null : { id: next.couponId };
  const firstOf = firstPeriods(schedule, billsFrom(days));
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
    ...days,
    termStart: termStartAfter(next, current, billsFrom(days)),
    anchor: schedule.anchor,
    firstPeriod: firstIndex(schedule, billsFrom(days)),
    couponPeriodsBefore: couponPeriodsBefore(coupon, schedule, days, replaced),
    lines: next.lines.map((line) => {
      const charge = charges.get(line.chargeId);
      if (charge === undefined) return line;
      // Until the change its lines have no other first days.
      return { ...line, nextPeriodIndex: firstOf(charge), startsOn: startOf(charge) };
    }),
  };
}

/**
 * The start of the term of an order that waits, once it begins on another day: the term of the order
 * that it replaces stays, one of its own moves along.
 *
 * @param from the day from which it then bills
 * @example termStartAfter(next, gold, '2027-03-01') // '2027-01-15', that of gold
 */
export function termStartAfter(
  next: TrialDays & Pick<OrderToRate, 'termStart' | 'termFirstEnd'>,
  current: Pick<OrderToRate, 'termStart'>,
  from: IsoDate,
): IsoDate {
  const { termStart, termFirstEnd } = next;
  const isOwn = termStart === billsFrom(next) && termStart !== current.termStart;
  // A term cannot begin after its end.
  return isOwn && (termFirstEnd === null || from <= termFirstEnd) ? from : termStart;
}
