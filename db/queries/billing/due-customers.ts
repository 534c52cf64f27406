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

/** Customers by their ids: those after one, up to another. */
export interface CustomerRange {
  readonly after: number;
  readonly until: number;
}

export interface DuePage {
  /** Those that are not held, and do not wait. */
  readonly ids: readonly number[];
  /** The last one that was looked at; null if there are no more. */
  readonly last: number | null;
}

/**
 * The same of a range, by the index of customers: it reads no order beyond the page, where the whole
 * of what is due would be read again for each page.
 */
export async function dueInRange(
  tx: Tx,
  { after, until }: CustomerRange,
  { today, limit, waitingAt }: DueCustomersChoice,
): Promise<DuePage> {
  const waits = waitingAt === null ? '' : `and not ${waitsAt('$5')}`;
  const values = [today, limit, after, until];
  const rows = await tx.query<{ id: number; isFree: boolean }>(
    `with page as materialized (
       select customer_id as id from subscription_order
       where customer_id > $3 and customer_id <= $4 and next_action_on <= $1
       order by customer_id limit $2)
     select c.id, c.billing_held_at is null ${waits} as is_free
     from (select distinct id from page) due join customer c on c.id = due.id
     order by c.id`,
    waitingAt === null ? values : [...values, waitingAt],
    waitingAt === null ? 'due-in-range' : 'due-in-range-by-answers',
  );
  const ids = rows.flatMap(({ id, isFree }) => (isFree ? [id] : []));
  return { ids, last: rows.at(-1)?.id ?? null };
}

/** Ranges with equally many customers of whom something is due, so many of them at most. */
export async function rangesOfDue(
  tx: Tx,
  { today, count }: { readonly today: IsoDate; readonly count: number },
): Promise<readonly CustomerRange[]> {
  const shares = Array.from({ length: count }, (_, index) => (index + 1) / count);
  const [row] = await tx.query<{ ends: readonly number[] | null }>(
    `select percentile_disc($2::float8[]) within group (order by customer_id) as ends
     from (select distinct customer_id from subscription_order where next_action_on <= $1) due`,
    [today, shares],
    'ranges-of-due',
  );
  const ends = [...new Set(row?.ends ?? [])];
  return ends.map((until, index) => ({ after: ends[index - 1] ?? 0, until }));
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
