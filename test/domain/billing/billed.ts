/** Shows what orders bill from day to day, one line of text for each charge. */
import { isPriced } from '../../../domain/billing/charges.ts';
import { applyDue, dueOf } from '../../../domain/billing/due/due.ts';
import { type IsoDate, daysFromTo } from '../../../domain/calendar/calendar.ts';
import { rate } from '../../../domain/billing/rate/rate.ts';
import type { DueCharge, DueOrder } from '../../../domain/billing/due/due-charges.ts';
import type { BillableOrder } from '../../../domain/billing/order-to-rate.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import type { BilledDays } from '../../../domain/standing/line.ts';
import { type Decimal, sum } from '../../../domain/money/money.ts';
import { chargeWith, lineWith, orderWith } from '../fixtures.ts';

/** `periodIndex from..to amount` of each charge; lines after the first have `#id` before it. */
export function shown({ charges }: DueOrder): string[] {
  return charges.map((charge) => {
    const { line, periodIndex, from, to } = charge;
    return `${line.id === 1 ? '' : `#${line.id} `}${periodIndex} ${from}..${to} ${amountOf(charge)}`;
  });
}

/** The price of a due charge in USD; a percentage by itself is 0. */
export function amountOf(charge: DueCharge): Decimal {
  return sum(rate([charge], 'USD').map((rated) => (isPriced(rated) ? rated.amount : '0')));
}

/** Bills the days one after the other, and shows what each billed and which day is next. */
export function billedOn(start: BillableOrder, days: readonly IsoDate[]): string[][] {
  let order = start;
  return days.map((today) => {
    const due = dueOf(order, today);
    order = applyDue(order, due);
    return [today, ...shown(due), `next ${due.nextBillableDate}`];
  });
}

export const arrears = (changes: Partial<Charge> = {}) =>
  lineWith({ charge: chargeWith({ isPrepaid: false, ...changes }) });

export const unprorated = lineWith({ charge: chargeWith({ isProrated: false }) });

export const until = (endDate: IsoDate, line = lineWith()) =>
  orderWith({ endDate, isAutoRenew: false, lines: [line] });

/** Days of a period that one unit at a price was billed for. */
export function billedFor(
  days: Pick<BilledDays, 'periodIndex' | 'from' | 'to'>,
  amount: Decimal,
  unitPrice = '31.00',
): BilledDays {
  const parts = [{ tierId: 1, unitPrice, quantity: '1', amount }];
  return { ...days, cost: { days: daysFromTo(days.from, days.to), parts } };
}
