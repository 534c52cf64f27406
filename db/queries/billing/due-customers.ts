/** Selects the customers that a billing run has something to do for. */
import type { IsoDate } from '../../../domain/calendar/date.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { waitsAt } from './tax-waits.ts';

export interface DueCustomersChoice {
  readonly today: IsoDate;
  readonly limit: number;
  /**
   * Real time, for a tenant with a tax provider: without the customers that wait for its next try.
   * Null for others.
   */
  readonly waitingAt: Date | null;
}

/** Customers that have an order to act on by that day and are not held, by id. */
export async function dueCustomers(
  tx: Tx,
  { today, limit, waitingAt }: DueCustomersChoice,
): Promise<number[]> {
  const waits = waitingAt === null ? '' : `and not ${waitsAt('$3')}`;
  const rows = await tx.query<{ id: number }>(
    // Materialized: for the order of ids the planner might look at every customer there ever was.
    `with due as materialized (
       select distinct customer_id as id from subscription_order where next_action_on <= $1)
     select c.id from due join customer c on c.id = due.id
     where c.billing_held_at is null ${waits}
     order by c.id limit $2`,
    waitingAt === null ? [today, limit] : [today, limit, waitingAt],
    waitingAt === null ? 'due-customers' : 'due-customers-by-answers',
  );
  return rows.map((row) => row.id);
}
