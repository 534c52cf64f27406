/** Limits on the size of an order, and on how much of it may be due at once. */
import { ratedCountOf } from './due.ts';
import { isDueBy, walkOrder } from './walks.ts';
import { DomainError } from '../../errors.ts';
import type { BillableOrder } from '../order-to-rate.ts';
import type { IsoDate } from '../../calendar/calendar.ts';

export const ORDER_LINES_MAX = 500;
/** Far more than any order in real use: nearly three years of daily billing at once. */
export const ELAPSED_PERIODS_PER_LINE_MAX = 1_000;
/** For one order, invoice, or customer and transaction; before percent, discount and tax. */
export const RATED_CHARGES_MAX = 5_000;

const order = 'subscriptionOrder';

/** Refuses too many lines before any other check. */
export function refuseTooManyLines(count: number): void {
  if (count <= ORDER_LINES_MAX) return;
  const message = `an order has at most ${ORDER_LINES_MAX} line items, not ${count}`;
  throw new DomainError('field.invalid', message, {
    path: `${order}/orderLineItems`,
    value: String(count),
  });
}

/**
 * Refuses an order with more due charges than one transaction bills. If the customer or the order
 * is suspended, it counts the charges as if both were resumed today, so that a later resumption is
 * never refused. It counts the charges without rating them.
 *
 * @example // 500 lines by the month since 1945
 *   refuseTooMuchDue(order, '2027-01-01') // throws order.tooManyPeriods
 */
export function refuseTooMuchDue(due: BillableOrder, today: IsoDate): void {
  let rated = 0;
  for (const walk of walkOrder(resumed(due, today), today).walks) {
    const { line } = walk;
    const ratedOfNext = ratedCountOf(walk, due.currency);
    for (let periods = 1; isDueBy(walk, today); walk.pass(), periods += 1) {
      rated += ratedOfNext();
      if (periods > ELAPSED_PERIODS_PER_LINE_MAX) {
        const most = `${ELAPSED_PERIODS_PER_LINE_MAX} elapsed periods`;
        throw tooMuch(`${line.charge.priceCode} has more than ${most}`, due, today);
      }
      if (rated > RATED_CHARGES_MAX) {
        const lines = `the ${due.lines.length} line items`;
        throw tooMuch(`${lines} have more than ${RATED_CHARGES_MAX} charges`, due, today);
      }
    }
  }
}

function resumed(due: BillableOrder, today: IsoDate): BillableOrder {
  return {
    ...due,
    status: due.status === 'Suspended' ? 'Active' : due.status,
    customerSuspended: false,
    pauses: due.pauses.map((pause) => ({ ...pause, resumedOn: pause.resumedOn ?? today })),
  };
}

function tooMuch(what: string, { startDate }: BillableOrder, today: IsoDate): DomainError {
  const message = `${what} to bill at once, from ${startDate} to ${today}`;
  return new DomainError('order.tooManyPeriods', message, {
    path: `${order}/startDate`,
    value: startDate,
  });
}
