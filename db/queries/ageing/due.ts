/** Finds the customers whose dunning has something to do: to open, or to take a step. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** A page of the open dunnings whose day has come, by customer. */
export async function dueSteps(tx: Tx, { today, after, limit }: DuePage): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    // Materialized: for the order of ids the planner might read every dunning there ever was.
    `with due as materialized (
       select customer_id as id from dunning where tenant_id = $1 and next_step_on <= $2)
     select id from due where id > $3 order by id limit $4`,
    [tx.tenantId, today, after, limit],
    'due-dunning-steps',
  );
  return rows.map(({ id }) => id);
}

/**
 * A transaction that began before 00:00 may make an invoice after the run of the day on which that
 * invoice is overdue, and a tenant without orders may change its time zone.
 */
const DAYS_AGAIN = 3;

/**
 * The condition of an open invoice that is overdue by the day $2, and was not on the day up to which
 * all dunnings are open. Whoever changes what is overdue already opens the dunning itself. An index
 * finds it by due_date alone: row-level security bars those of a sum.
 */
export const newlyOverdue = (i: string): string => `${i}.status = 'Outstanding'
  and ${i}.due_date < $2 and ${i}.due_date >= (
    select r.debts_opened_on - 1 - ${DAYS_AGAIN} from dunning_rules r where r.tenant_id = $1)`;

const debtors = `
  select i.customer_id as id from invoice i
  join tenant own on own.id = i.tenant_id
  where i.tenant_id = $1 and ${newlyOverdue('i')} and not exists (select from dunning d
    where d.tenant_id = i.tenant_id and d.customer_id = i.customer_id
      and d.closed_on is null
      and d.updated_at >= (i.due_date + 1)::timestamp at time zone own.timezone)`;

/**
 * A page of the customers of whom something has become overdue that their dunning does not show:
 * they have no open one, or nobody has written it since that day.
 */
export async function newDebtors(tx: Tx, { today, after, limit }: DuePage): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct id from (${debtors}) debtor where id > $3 order by id limit $4`,
    [tx.tenantId, today, after, limit],
    'new-debtors',
  );
  return rows.map(({ id }) => id);
}

/**
 * The day's dunnings are open. With a debtor left, one whose dunning could not be opened, the mark
 * stays, so that the next run looks at that debtor again.
 */
export async function noteDebtsOpened(tx: Tx, today: IsoDate): Promise<void> {
  await tx.query(
    `update dunning_rules set debts_opened_on = $2
     where tenant_id = $1 and debts_opened_on < $2 and not exists (${debtors})`,
    [tx.tenantId, today],
    'note-debts-opened',
  );
}

export interface DuePage {
  readonly today: IsoDate;
  /** A customer's id. */
  readonly after: number;
  readonly limit: number;
}

/** The condition of an invoice whose customer has no open dunning. */
export const withoutDunning = (i: string): string => `not exists (
  select from dunning d where d.tenant_id = ${i}.tenant_id and d.customer_id = ${i}.customer_id
    and d.closed_on is null)`;

/** Those with a payment that waits for its turn or is at its gateway. */
export async function payingCustomers(
  tx: Tx,
  customerIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ id: number }>(
    `select distinct customer_id as id from payment
     where tenant_id = $1 and customer_id = any($2) and phase in ('Waiting', 'Charging')`,
    [tx.tenantId, customerIds],
    'paying-customers',
  );
  return new Set(rows.map(({ id }) => id));
}

/* Retries of declined automatic payments, as far as they concern the dunning of their customer. */

/** The condition of an attempt that keeps a dunning open: a retry to come, or one under way. */
export const retryRemains = (a: string): string =>
  `${a}.kind = 'retry' and ${a}.state in ('due', 'claimed')`;

/** The condition of an attempt whose customer's dunning nobody holds. */
export const notHeld = (a: string): string => `not exists (select from dunning held
  where held.tenant_id = ${a}.tenant_id and held.customer_id = ${a}.customer_id
    and held.held_on is not null)`;

interface RetryCounts {
  readonly due: number;
  readonly claimed: number;
}

/** How many retries of the customer are to come, and how many are under way. */
export async function countRetries(tx: Tx, customerId: number): Promise<RetryCounts> {
  const [counts] = await tx.query<RetryCounts & Record<string, unknown>>(
    `select count(*) filter (where state = 'due')::int as due,
            count(*) filter (where state = 'claimed')::int as claimed
     from collection_attempt a
     where a.tenant_id = $1 and a.customer_id = $2 and ${retryRemains('a')}`,
    [tx.tenantId, customerId],
    'count-retries',
  );
  return counts ?? { due: 0, claimed: 0 };
}
