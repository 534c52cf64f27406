/** Selects the customers that a billing run has something to do for. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
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

/* Reads whether, and when, a customer is billed next. */

interface NextBill {
  /** May have crashed a process, so only a separate one rates it. */
  readonly isSuspect: boolean;
  /** Null if no order bills anything more. */
  readonly nextBillOn: IsoDate | null;
  /** The first day on which a pause of the customer, or of an order, ends by itself. */
  readonly resumesOn: IsoDate | null;
}

export async function readNextBill(tx: Tx, customerId: number): Promise<NextBill> {
  const [row] = await tx.query<NextBill & Record<string, unknown>>(
    `select exists (select from billing_suspect s
              where s.tenant_id = $1 and s.customer_id = $2) as is_suspect,
            (select min(o.next_billable_date) from subscription_order o
              where o.tenant_id = $1 and o.customer_id = $2) as next_bill_on,
            (select min(p.until) from service_pause p
              where p.tenant_id = $1 and p.customer_id = $2) as resumes_on`,
    [tx.tenantId, customerId],
    'read-next-bill',
  );
  return row ?? { isSuspect: false, nextBillOn: null, resumesOn: null };
}
