/** Finds the customers whose dunning has something to do: to open, or to take a step. */
import type { IsoDate } from '../../../domain/model.ts';
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
 * A page of the customers of whom something has become overdue that their dunning does not show:
 * they have no open one, or nobody has written it since that day.
 */
export async function newDebtors(tx: Tx, { today, after, limit }: DuePage): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct i.customer_id as id from invoice i
     join tenant own on own.id = i.tenant_id
     where i.tenant_id = $1 and i.status = 'Outstanding' and i.due_date + 1 <= $2
       and i.customer_id > $3 and not exists (select from dunning d
         where d.tenant_id = i.tenant_id and d.customer_id = i.customer_id
           and d.closed_on is null
           and d.updated_at >= (i.due_date + 1)::timestamp at time zone own.timezone)
     order by i.customer_id limit $4`,
    [tx.tenantId, today, after, limit],
    'new-debtors',
  );
  return rows.map(({ id }) => id);
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
