/** Shows what orders owe from day to day, one line of text for each charge. */
import { applyDue, dueOf } from '../../domain/billing.ts';
import type { BillableOrder, Charge, DueOrder, IsoDate } from '../../domain/model.ts';
import { sum } from '../../domain/money.ts';
import { chargeWith, lineWith, orderWith } from './fixtures.ts';

/** `k from..to amount` of each charge; of lines after the first, with `#id` before it. */
export function shown({ charges }: DueOrder): string[] {
  return charges.map(({ line, k, from, to, parts }) => {
    const amount = sum(parts.map((part) => part.amount));
    return `${line.id === 1 ? '' : `#${line.id} `}${k} ${from}..${to} ${amount}`;
  });
}

/** Bills on one day after the other, and tells what each brought and what it expects next. */
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
